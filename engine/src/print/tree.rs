//! Modules of the generated file, and the way from one to another.

use std::collections::BTreeMap;

use crate::plan::{Ident, Plan};

/// A module: positions in the plan, in schema order.
#[derive(Debug, Default)]
pub struct Module {
    /// In [`Plan::enums`].
    pub enums: Vec<usize>,
    /// In [`Plan::messages`].
    pub messages: Vec<usize>,
    /// Messages whose oneofs stand here.
    pub oneofs_of: Vec<usize>,
    /// Modules in it, by name.
    pub modules: BTreeMap<Ident, Module>,
}

impl Module {
    /// The whole plan as a tree of modules.
    pub fn tree(plan: &Plan) -> Module {
        let mut root = Module::default();
        for (at, item) in plan.enums.iter().enumerate() {
            root.at(&item.module).enums.push(at);
        }
        for (at, message) in plan.messages.iter().enumerate() {
            root.at(&message.module).messages.push(at);
            if message.oneofs.iter().any(|o| !o.fields.is_empty()) {
                root.at(&message.inner).oneofs_of.push(at);
            }
        }
        root
    }

    fn at(&mut self, path: &[Ident]) -> &mut Module {
        path.iter().fold(self, |module, part| module.modules.entry(part.clone()).or_default())
    }
}

/// The path of `name` in module `to`, seen from module `from`.
pub fn path(from: &[Ident], to: &[Ident], name: &str) -> String {
    let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let mut path = "super::".repeat(from.len() - shared);
    for part in &to[shared..] {
        path.push_str(&part.0);
        path.push_str("::");
    }
    path + name
}
