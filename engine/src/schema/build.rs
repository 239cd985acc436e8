//! Descriptors to the [`Model`]: every feature resolved, every declaration with its place.

use std::collections::HashMap;
use std::sync::Arc;

use prost_reflect::{
    Cardinality as ReflectCardinality, DescriptorPool, EnumDescriptor, ExtensionDescriptor, FieldDescriptor,
    FileDescriptor, Kind as ReflectKind, MessageDescriptor, Syntax as ReflectSyntax, Value,
};

use super::comments::Comments;
use super::load::Sources;
use super::model::{
    Cardinality, DefaultValue, Enum, EnumId, EnumValue, Field, Kind, Message, MessageId, Model, Oneof,
    Presence, SourceFile, Syntax,
};
use super::places::Places;
use crate::origin::{FieldKey, Origin, Origins};

/// Number of the field `value` in `EnumDescriptorProto`: the last step but one of a value's path.
const ENUM_VALUE: i32 = 2;

/// The model of a checked schema.
pub(super) fn build(pool: DescriptorPool, sources: &Sources) -> Model {
    let files: Vec<FileDescriptor> = pool.files().collect();
    let mut builder = Builder::default();
    let mut model_files = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let loaded = sources.files.iter().find(|loaded| &*loaded.path == file.name());
        model_files.push(SourceFile {
            path: Arc::from(file.name()),
            import_name: loaded.map_or_else(|| file.name().to_owned(), |loaded| loaded.import_name.clone()),
            package: file.package_name().to_owned(),
            syntax: syntax(file.syntax()),
            is_root: loaded.is_some_and(|loaded| loaded.is_root),
        });
        builder.collect(at, file);
    }
    let mut messages = Vec::with_capacity(builder.messages.len());
    let mut enums = Vec::with_capacity(builder.enums.len());
    for (at, file) in files.iter().enumerate() {
        let loaded = sources.files.iter().find(|loaded| &*loaded.path == file.name());
        let places = loaded.map(Places::new);
        let comments = Comments::new(file.file_descriptor_proto());
        let context = Context { file: at, places: places.as_ref(), comments: &comments };
        for (message, _) in builder.messages.clone().iter().filter(|(_, file)| *file == at) {
            messages.push(builder.message(message, &context));
        }
        for (enumeration, _) in builder.enums.clone().iter().filter(|(_, file)| *file == at) {
            enums.push(builder.enumeration(enumeration, &context));
        }
    }
    Model { files: model_files, messages, enums, origins: builder.origins, pool }
}

/// What is known about the file a declaration stands in.
struct Context<'a> {
    file: usize,
    places: Option<&'a Places<'a>>,
    comments: &'a Comments<'a>,
}

#[derive(Default)]
struct Builder {
    /// All messages with their file, nested ones after their parent.
    messages: Vec<(MessageDescriptor, usize)>,
    enums: Vec<(EnumDescriptor, usize)>,
    message_ids: HashMap<String, MessageId>,
    enum_ids: HashMap<String, EnumId>,
    origins: Origins,
}

impl Builder {
    /// Numbers the messages and enums of a file.
    fn collect(&mut self, at: usize, file: &FileDescriptor) {
        let top: Vec<EnumDescriptor> = file.enums().collect();
        top.into_iter().for_each(|enumeration| self.collect_enum(at, enumeration));
        let mut waiting: Vec<MessageDescriptor> = file.messages().collect();
        waiting.reverse();
        while let Some(message) = waiting.pop() {
            self.message_ids.insert(message.full_name().to_owned(), MessageId(self.messages.len() as u32));
            message.child_enums().for_each(|enumeration| self.collect_enum(at, enumeration));
            let mut children: Vec<_> = message.child_messages().collect();
            children.reverse();
            waiting.extend(children);
            self.messages.push((message, at));
        }
    }

    fn collect_enum(&mut self, at: usize, enumeration: EnumDescriptor) {
        self.enum_ids.insert(enumeration.full_name().to_owned(), EnumId(self.enums.len() as u32));
        self.enums.push((enumeration, at));
    }

    fn message_id(&self, message: &MessageDescriptor) -> MessageId {
        self.message_ids[message.full_name()]
    }

    fn message(&mut self, message: &MessageDescriptor, context: &Context) -> Message {
        let full_name: Arc<str> = Arc::from(message.full_name());
        let origin = self.origins.intern(Origin::Message(full_name.clone()));
        let real: Vec<_> = message.oneofs().filter(|oneof| !oneof.is_synthetic()).collect();
        // The iterator of fields goes by number; the model keeps the order of the declaration.
        let numbers: Vec<u32> =
            message.descriptor_proto().field.iter().map(|field| field.number() as u32).collect();
        let descriptors: Vec<FieldDescriptor> =
            numbers.iter().filter_map(|number| message.get_field(*number)).collect();
        let mut fields: Vec<Field> = descriptors
            .iter()
            .map(|field| {
                let oneof = field.containing_oneof().filter(|oneof| !oneof.is_synthetic());
                let oneof =
                    oneof.and_then(|oneof| real.iter().position(|other| other.name() == oneof.name()));
                self.field(Declared::field(field), oneof, &full_name, Some(context))
            })
            .collect();
        // Extensions, wherever they are declared, are fields like all others.
        // Those of options are for tools.
        let is_option = message.parent_file().name() == "google/protobuf/descriptor.proto";
        let mut extensions: Vec<ExtensionDescriptor> = message.extensions().filter(|_| !is_option).collect();
        extensions.sort_by_key(ExtensionDescriptor::number);
        for extension in &extensions {
            let is_here = extension.parent_file() == message.parent_file();
            let context = is_here.then_some(context);
            fields.push(self.field(Declared::extension(extension), None, &full_name, context));
        }
        let oneofs = real
            .iter()
            .enumerate()
            .map(|(index, oneof)| Oneof {
                proto_name: oneof.name().to_owned(),
                fields: (0..fields.len()).filter(|at| fields[*at].oneof == Some(index)).collect(),
                comment: context.comments.leading(oneof.path()),
                span: context.places.and_then(|places| places.name(oneof.full_name())),
                origin: self.origins.intern(Origin::Oneof(Arc::from(oneof.full_name()))),
            })
            .collect();
        Message {
            proto_name: message.name().to_owned(),
            file: context.file,
            parent: message.parent_message().map(|parent| self.message_id(&parent)),
            fields,
            oneofs,
            is_map_entry: message.is_map_entry(),
            comment: context.comments.leading(message.path()),
            span: context.places.and_then(|places| places.name(&full_name)),
            origin,
            full_name,
        }
    }

    fn field(
        &mut self,
        field: Declared,
        oneof: Option<usize>,
        message: &Arc<str>,
        context: Option<&Context>,
    ) -> Field {
        let cardinality = match field.cardinality {
            _ if field.is_map => Cardinality::Map,
            ReflectCardinality::Repeated => Cardinality::Repeated,
            _ => Cardinality::Singular,
        };
        let presence = match field.cardinality {
            ReflectCardinality::Required => Presence::Required,
            _ if field.has_presence => Presence::Explicit,
            _ => Presence::Implicit,
        };
        let number = field.number;
        let places = context.and_then(|context| context.places);
        Field {
            number,
            kind: self.kind(&field.kind),
            cardinality,
            presence,
            packed: field.is_packed,
            utf8_checked: field.syntax == ReflectSyntax::Proto3,
            delimited: field.is_group,
            oneof,
            default: field.default,
            comment: context.map_or_else(String::new, |c| c.comments.leading_or_trailing(&field.path)),
            span: places.and_then(|places| places.name(&field.full_name)),
            declaration: places.and_then(|places| places.declaration(&field.full_name)),
            proto_name: field.name,
            json_name: field.json_name,
            origin: self.origins.intern(Origin::Field(FieldKey { message: message.clone(), number })),
        }
    }

    fn kind(&self, kind: &ReflectKind) -> Kind {
        match kind {
            ReflectKind::Double => Kind::Double,
            ReflectKind::Float => Kind::Float,
            ReflectKind::Int32 => Kind::Int32,
            ReflectKind::Int64 => Kind::Int64,
            ReflectKind::Uint32 => Kind::Uint32,
            ReflectKind::Uint64 => Kind::Uint64,
            ReflectKind::Sint32 => Kind::Sint32,
            ReflectKind::Sint64 => Kind::Sint64,
            ReflectKind::Fixed32 => Kind::Fixed32,
            ReflectKind::Fixed64 => Kind::Fixed64,
            ReflectKind::Sfixed32 => Kind::Sfixed32,
            ReflectKind::Sfixed64 => Kind::Sfixed64,
            ReflectKind::Bool => Kind::Bool,
            ReflectKind::String => Kind::String,
            ReflectKind::Bytes => Kind::Bytes,
            ReflectKind::Message(message) => Kind::Message(self.message_id(message)),
            ReflectKind::Enum(enumeration) => Kind::Enum(self.enum_ids[enumeration.full_name()]),
        }
    }

    fn enumeration(&mut self, enumeration: &EnumDescriptor, context: &Context) -> Enum {
        let full_name: Arc<str> = Arc::from(enumeration.full_name());
        let values = enumeration.enum_descriptor_proto().value.iter().enumerate().map(|(at, value)| {
            // Values go by position: an alias has no number of its own to be found by.
            let path: Vec<i32> = enumeration.path().iter().copied().chain([ENUM_VALUE, at as i32]).collect();
            EnumValue {
                proto_name: value.name().to_owned(),
                number: value.number(),
                comment: context.comments.leading_or_trailing(&path),
            }
        });
        Enum {
            proto_name: enumeration.name().to_owned(),
            file: context.file,
            parent: enumeration.parent_message().map(|parent| self.message_id(&parent)),
            values: values.collect(),
            is_closed: enumeration.parent_file().syntax() == ReflectSyntax::Proto2,
            comment: context.comments.leading(enumeration.path()),
            span: context.places.and_then(|places| places.name(&full_name)),
            origin: self.origins.intern(Origin::Enum(full_name.clone())),
            full_name,
        }
    }
}

fn syntax(syntax: ReflectSyntax) -> Syntax {
    match syntax {
        ReflectSyntax::Proto2 => Syntax::Proto2,
        ReflectSyntax::Proto3 => Syntax::Proto3,
    }
}

/// What a declaration says, of a field or of an extension.
struct Declared {
    name: String,
    full_name: String,
    json_name: String,
    number: u32,
    kind: ReflectKind,
    cardinality: ReflectCardinality,
    is_map: bool,
    is_packed: bool,
    is_group: bool,
    has_presence: bool,
    syntax: ReflectSyntax,
    default: Option<DefaultValue>,
    path: Vec<i32>,
}

/// Both kinds of descriptors have the same methods.
macro_rules! declared {
    ($of:expr) => {
        Declared {
            name: $of.name().to_owned(),
            full_name: $of.full_name().to_owned(),
            json_name: $of.json_name().to_owned(),
            number: $of.number(),
            kind: $of.kind(),
            cardinality: $of.cardinality(),
            is_map: $of.is_map(),
            is_packed: $of.is_packed(),
            is_group: $of.is_group(),
            has_presence: $of.supports_presence(),
            syntax: $of.parent_file().syntax(),
            default: $of
                .field_descriptor_proto()
                .default_value
                .as_ref()
                .and_then(|_| default($of.default_value())),
            path: $of.path().to_vec(),
        }
    };
}

impl Declared {
    fn field(field: &FieldDescriptor) -> Declared {
        declared!(field)
    }

    fn extension(extension: &ExtensionDescriptor) -> Declared {
        declared!(extension)
    }
}

fn default(value: Value) -> Option<DefaultValue> {
    Some(match value {
        Value::Bool(value) => DefaultValue::Bool(value),
        Value::I32(value) => DefaultValue::Signed(value.into()),
        Value::I64(value) => DefaultValue::Signed(value),
        Value::U32(value) => DefaultValue::Unsigned(value.into()),
        Value::U64(value) => DefaultValue::Unsigned(value),
        Value::F32(value) => DefaultValue::Float(value.into()),
        Value::F64(value) => DefaultValue::Float(value),
        Value::String(value) => DefaultValue::Text(value),
        Value::Bytes(value) => DefaultValue::Bytes(value.to_vec()),
        Value::EnumNumber(value) => DefaultValue::Enum(value),
        Value::Message(_) | Value::List(_) | Value::Map(_) => return None,
    })
}
