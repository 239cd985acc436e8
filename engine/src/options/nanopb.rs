//! What nanopb's options mean for one field, wherever they were written.

use super::LARGEST_LIMIT;
use super::limits::{IntWidth, StorageChoice};
use super::settings::{FieldEntry, Placed, StorageWish};
use crate::diagnostic::{Diagnostic, Span};
use crate::schema::{Cardinality, Field, Kind};

/// One option as written.
#[derive(Clone, Debug)]
pub(super) struct NanopbOption {
    pub name: String,
    /// Number, word or text, without quotes.
    pub value: String,
    pub span: Span,
}

/// Options that shape the C code nanopb writes, and nothing else.
const WITHOUT_EFFECT: [&str; 30] = [
    "enum_intsize",
    "long_names",
    "packed_struct",
    "packed_enum",
    "skip_message",
    "no_unions",
    "msgid",
    "anonymous_oneof",
    "proto3",
    "proto3_singular_msgs",
    "enum_to_string",
    "enum_validate",
    "submsg_callback",
    "mangle_names",
    "callback_datatype",
    "callback_function",
    "descriptorsize",
    "default_has",
    "include",
    "exclude",
    "package",
    "type_override",
    "label_override",
    "sort_by_tag",
    "fallback_type",
    "initializer",
    "discard_unused_automatic_types",
    "discard_deprecated",
    "encode_buffer_fields",
    "no_long_names",
];

/// Options that say something about a field.
const WITH_EFFECT: [&str; 7] =
    ["max_size", "max_length", "max_count", "int_size", "type", "fixed_length", "fixed_count"];

/// What is known of an option by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It is read here.
    Used,
    /// nanopb knows it, and it changes nothing in our code.
    WithoutEffect,
    /// Nobody knows it.
    Unknown,
}

/// What is known of an option.
pub(super) fn known(name: &str) -> Known {
    if WITH_EFFECT.contains(&name) {
        Known::Used
    } else if WITHOUT_EFFECT.contains(&name) {
        Known::WithoutEffect
    } else {
        Known::Unknown
    }
}

/// Checks what is wrong with options whatever field they stand for: numbers that are none or out of
/// range, words without meaning, options that contradict each other.
pub(super) fn check_options(options: &[NanopbOption]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let find = |name: &str| options.iter().rev().find(|option| option.name == name);
    for option in options {
        let problem = match option.name.as_str() {
            name @ ("max_size" | "max_length" | "max_count") => {
                number(option).err().map(|why| (format!("{name} {why}"), "write a number from 1 to 65535"))
            }
            "int_size" if int_width(option).is_none() && !is_default(option) => {
                Some((format!("int_size cannot be {}", option.value), "write IS_8, IS_16, IS_32 or IS_64"))
            }
            "type" if storage(option).is_none() => Some((
                format!("type {} is not known", option.value),
                "write FT_STATIC, FT_CALLBACK or FT_IGNORE",
            )),
            name @ ("fixed_length" | "fixed_count") if !matches!(option.value.as_str(), "true" | "false") => {
                Some((format!("{name} must be true or false"), "write true"))
            }
            _ => None,
        };
        if let Some((text, help)) = problem {
            found.push(Diagnostic::error(Some(option.span.clone()), text).with_help(help));
        }
    }
    let written = |name: &str| find(name).and_then(|option| Some((number(option).ok()?, &option.span)));
    if let (Some((size, _)), Some((length, span))) = (written("max_size"), written("max_length"))
        && size != length + 1
    {
        let text =
            format!("max_size {size} and max_length {length} contradict each other: max_size counts the NUL");
        found.push(Diagnostic::error(Some(span.clone()), text).with_help("keep one of them"));
    }
    found
}

/// What the options mean for one field. Options that are wrong in themselves are left out; those that
/// do not fit this field are left out too, and named if the field was named (`is_exact`).
pub(super) fn meaning(
    options: &[NanopbOption],
    field: &Field,
    full_name: &str,
    is_exact: bool,
    found: &mut Vec<Diagnostic>,
) -> FieldEntry {
    let mut entry = FieldEntry::default();
    let mut remark = |diagnostic: Diagnostic| {
        if is_exact {
            found.push(diagnostic);
        }
    };
    for option in options {
        let span = option.span.clone();
        match option.name.as_str() {
            "max_size" | "max_length" => {
                let Ok(written) = number(option) else { continue };
                // max_size of a string counts its NUL, max_length does not.
                let bytes = match (field.kind, option.name.as_str()) {
                    (Kind::String, "max_size") => written - 1,
                    (Kind::String, _) | (Kind::Bytes, "max_size") => written,
                    _ => {
                        let text =
                            format!("`{full_name}` has no {}: it is neither string nor bytes", option.name);
                        remark(Diagnostic::warning(Some(span), text));
                        continue;
                    }
                };
                if bytes == 0 {
                    let text = format!("max_size 1 leaves `{full_name}` no room: it counts the NUL");
                    remark(Diagnostic::error(Some(span), text).with_help("write at least 2"));
                } else if bytes > LARGEST_LIMIT {
                    let text = format!("max_size cannot be {bytes}: it must be 1 to {LARGEST_LIMIT}");
                    remark(Diagnostic::error(Some(span), text).with_help("write a number from 1 to 65535"));
                } else {
                    entry.max_len = Some(Placed { value: bytes, span });
                }
            }
            "max_count" => {
                let Ok(value) = number(option) else { continue };
                match field.cardinality {
                    Cardinality::Singular => {
                        let text = format!("`{full_name}` has no max_count: it is not repeated");
                        remark(Diagnostic::warning(Some(span), text));
                        continue;
                    }
                    Cardinality::Map => {
                        let text = format!("`{full_name}` is a map: max_count limits its entries");
                        remark(Diagnostic::note(Some(span.clone()), text));
                    }
                    Cardinality::Repeated => {}
                }
                entry.max_count = Some(Placed { value, span });
            }
            "int_size" => {
                let Some(value) = int_width(option) else { continue };
                if is_integer(field.kind) {
                    entry.int_width = Some(Placed { value, span });
                } else {
                    let text = format!("`{full_name}` has no int_size: it is not an integer");
                    remark(Diagnostic::warning(Some(span), text));
                }
            }
            "type" => {
                let Some(value) = storage(option) else { continue };
                entry.storage = Some(Placed { value, span });
            }
            "fixed_length" => entry.fixed_length = Some(Placed { value: option.value == "true", span }),
            "fixed_count" => entry.fixed_count = Some(Placed { value: option.value == "true", span }),
            _ => {}
        }
    }
    entry
}

/// Whether a kind is an integer that can be narrowed: an integer or an enum.
pub(super) fn is_integer(kind: Kind) -> bool {
    !matches!(kind, Kind::Double | Kind::Float | Kind::Bool | Kind::String | Kind::Bytes | Kind::Message(_))
}

fn number(option: &NanopbOption) -> Result<u32, String> {
    // A string's max_size counts the NUL, so it may be one more.
    let largest = LARGEST_LIMIT + u32::from(option.name == "max_size");
    match option.value.parse::<i128>() {
        Ok(value) if (1..=i128::from(largest)).contains(&value) => Ok(value as u32),
        Ok(0) => Err("cannot be 0: the field could hold nothing".to_owned()),
        Ok(value) => Err(format!("cannot be {value}: it must be 1 to {LARGEST_LIMIT}")),
        Err(_) => Err(format!("must be a number, not {}", option.value)),
    }
}

fn is_default(option: &NanopbOption) -> bool {
    matches!(option.value.as_str(), "IS_DEFAULT" | "0")
}

fn int_width(option: &NanopbOption) -> Option<IntWidth> {
    match option.value.as_str() {
        "IS_8" | "8" => Some(IntWidth::W8),
        "IS_16" | "16" => Some(IntWidth::W16),
        "IS_32" | "32" => Some(IntWidth::W32),
        "IS_64" | "64" => Some(IntWidth::W64),
        _ => None,
    }
}

/// Storage by nanopb's field type; the numbers are those of its enum.
fn storage(option: &NanopbOption) -> Option<StorageWish> {
    Some(match option.value.as_str() {
        "FT_DEFAULT" | "0" | "FT_STATIC" | "2" | "FT_INLINE" | "5" => StorageWish::Use(StorageChoice::Inline),
        "FT_CALLBACK" | "1" => StorageWish::Use(StorageChoice::Streamed),
        "FT_IGNORE" | "3" => StorageWish::Use(StorageChoice::Ignored),
        "FT_POINTER" | "4" => StorageWish::Pointer,
        _ => return None,
    })
}
