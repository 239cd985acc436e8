//! Where the generated code keeps things: paths and accessor names, by the conventions of `print`.

use wirebench_engine::plan::{EnumPlan, FieldPlan, Ident, MessagePlan, OneofPlan};

/// The module the generated file is pulled in as.
const GENERATED: &str = "crate::generated";

/// Path of a message's struct.
pub fn message_path(message: &MessagePlan) -> String {
    path(&message.module, &message.rust_name)
}

/// Path of an enum's newtype.
pub fn enum_path(enumeration: &EnumPlan) -> String {
    path(&enumeration.module, &enumeration.rust_name)
}

/// Path of a oneof's Rust enum.
pub fn oneof_path(message: &MessagePlan, oneof: &OneofPlan) -> String {
    let mut module = message.module.clone();
    module.push(own_module(message));
    path(&module, &oneof.type_name)
}

/// The module of what is declared inside a message: its name in snake case.
fn own_module(message: &MessagePlan) -> Ident {
    let mut name = String::new();
    let letters: Vec<char> = message.rust_name.0.trim_start_matches("r#").chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let starts_word = letter.is_uppercase()
            && at > 0
            && (!letters[at - 1].is_uppercase()
                || letters.get(at + 1).is_some_and(|next| next.is_lowercase()));
        if starts_word {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    Ident(name)
}

fn path(module: &[Ident], name: &Ident) -> String {
    let parts = module.iter().chain([name]).map(|part| format!("::{part}"));
    format!("{GENERATED}{}", parts.collect::<String>())
}

/// Name of one of a field's accessors: `set_`, `_mut`; the field's name can be a raw identifier.
pub fn accessor(prefix: &str, field: &FieldPlan, suffix: &str) -> String {
    let name = field.rust_name.0.strip_prefix("r#").unwrap_or(&field.rust_name.0);
    format!("{prefix}{name}{suffix}")
}
