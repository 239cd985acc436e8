//! Our own tree of values. The canonical encoder works on it, so it is the oracle for every check.

/// A message's values: one entry per field that is set, in the order they are written.
///
/// Implicit-presence fields with the default value have no entry; explicit ones have an entry when present.
/// Bit patterns survive: -0.0 and NaN payloads are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageValue {
    /// By field number, ascending; one entry per number.
    pub fields: Vec<FieldValue>,
    /// What the schema does not know, in wire order. The encoder appends it as it is.
    pub unknown: Vec<UnknownField>,
}

/// A field that is not in the schema, or whose bytes do not fit its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownField {
    /// Field number.
    pub number: u32,
    /// Its bytes, tag included.
    pub bytes: Vec<u8>,
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValue {
    /// Field number.
    pub number: u32,
    /// One value, or [`Value::List`] for repeated and map fields.
    pub value: Value,
}

/// One value.
#[derive(Clone, Debug)]
pub enum Value {
    /// int32, sint32, sfixed32 (sign-extended), int64, sint64, sfixed64.
    Signed(i64),
    /// uint32, fixed32, uint64, fixed64.
    Unsigned(u64),
    /// float.
    Float(f32),
    /// double.
    Double(f64),
    /// bool.
    Bool(bool),
    /// Number of an enum value, known or not.
    Enum(i32),
    /// string, as bytes because proto2 strings need not be UTF-8.
    Text(Vec<u8>),
    /// bytes.
    Bytes(Vec<u8>),
    /// A nested message, group or map entry.
    Message(MessageValue),
    /// Items of a repeated or map field.
    List(Vec<Value>),
}

/// Equality of bit patterns: NaN equals the same NaN, -0.0 differs from 0.0.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Signed(a), Value::Signed(b)) => a == b,
            (Value::Unsigned(a), Value::Unsigned(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Enum(a), Value::Enum(b)) => a == b,
            (Value::Text(a), Value::Text(b)) | (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Message(a), Value::Message(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            _ => false,
        }
    }
}

impl MessageValue {
    /// A message of known fields only.
    pub fn of(fields: Vec<FieldValue>) -> MessageValue {
        MessageValue { fields, unknown: Vec::new() }
    }

    /// Sets a field, in place of an earlier value; keeps the order by number.
    pub fn set(&mut self, number: u32, value: Value) {
        match self.fields.binary_search_by_key(&number, |f| f.number) {
            Ok(at) => self.fields[at].value = value,
            Err(at) => self.fields.insert(at, FieldValue { number, value }),
        }
    }

    /// The last value of a field, to be changed.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut Value> {
        self.fields.iter_mut().rev().find(|f| f.number == number).map(|f| &mut f.value)
    }

    /// Removes a field and gives its value.
    pub fn take(&mut self, number: u32) -> Option<Value> {
        let at = self.fields.iter().rposition(|f| f.number == number)?;
        Some(self.fields.remove(at).value)
    }

    /// Removes a field.
    pub fn clear(&mut self, number: u32) {
        self.fields.retain(|f| f.number != number);
    }

    /// The last value of a field.
    pub fn get(&self, number: u32) -> Option<&Value> {
        self.fields.iter().rev().find(|f| f.number == number).map(|f| &f.value)
    }
}
