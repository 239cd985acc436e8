//! What a piece of code, a byte or a figure belongs to. The same [`Origin`] everywhere is what
//! lets a click on a field light up its schema line, its code, its bytes and its bar.

use std::collections::HashMap;
use std::sync::Arc;

/// A field, told apart by the full name of its message and its number: stable under reordering.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldKey {
    /// Full name of the message, without a leading dot: `comparison.Telemetry`.
    pub message: Arc<str>,
    /// Field number.
    pub number: u32,
}

/// What something belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// A message as a whole, by full name.
    Message(Arc<str>),
    /// One field.
    Field(FieldKey),
    /// A oneof, by full name (`pkg.Message.oneof`).
    Oneof(Arc<str>),
    /// An enum, by full name.
    Enum(Arc<str>),
    /// Shared code that belongs to no part of a schema.
    Runtime,
}

/// An [`Origin`] interned in [`Origins`]; small, so that span arenas stay flat. Valid for one revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OriginId(pub u32);

impl OriginId {
    /// [`Origin::Runtime`], always interned first.
    pub const RUNTIME: OriginId = OriginId(0);
}

/// All origins of one revision of a schema.
#[derive(Clone, Debug)]
pub struct Origins {
    list: Vec<Origin>,
    ids: HashMap<Origin, OriginId>,
}

impl Default for Origins {
    fn default() -> Origins {
        let mut origins = Origins { list: Vec::new(), ids: HashMap::new() };
        origins.intern(Origin::Runtime);
        origins
    }
}

impl Origins {
    /// The id of `origin`, new if it was not known.
    pub fn intern(&mut self, origin: Origin) -> OriginId {
        if let Some(id) = self.ids.get(&origin) {
            return *id;
        }
        let id = OriginId(self.list.len() as u32);
        self.list.push(origin.clone());
        self.ids.insert(origin, id);
        id
    }

    /// The origin behind an id of this revision; [`Origin::Runtime`] for a foreign id.
    pub fn get(&self, id: OriginId) -> &Origin {
        self.list.get(id.0 as usize).unwrap_or(&self.list[0])
    }

    /// The id of a known origin.
    pub fn find(&self, origin: &Origin) -> Option<OriginId> {
        self.ids.get(origin).copied()
    }

    /// All origins with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (OriginId, &Origin)> {
        self.list.iter().enumerate().map(|(i, origin)| (OriginId(i as u32), origin))
    }
}
