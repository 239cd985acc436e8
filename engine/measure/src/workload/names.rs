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
    path(&message.inner, &oneof.type_name)
}

fn path(module: &[Ident], name: &Ident) -> String {
    let parts = module.iter().chain([name]).map(|part| format!("::{part}"));
    format!("{GENERATED}{}", parts.collect::<String>())
}

/// Name of a field's setter.
pub fn setter(field: &FieldPlan) -> String {
    format!("set_{}", field.rust_name.stem())
}

/// Name of the method that gives access to a field.
pub fn access(field: &FieldPlan) -> String {
    field.rust_name.followed_by("mut")
}
