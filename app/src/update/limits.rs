//! Limits edited in the table: the text of `wirebench.toml` changes, as one undo step.

use wirebench_engine::options::{self, IntWidth, LimitChange, StorageChoice};
use wirebench_engine::origin::FieldKey;

use super::{Effect, results};
use crate::state::State;
use crate::state::notices::Tone;

/// Writes a field's limit into the settings.
pub fn set(state: &mut State, field: &FieldKey, change: LimitChange) -> Vec<Effect> {
    let Some(name) = full_name(state, field) else { return Vec::new() };
    let settings = state.document.project.settings.clone();
    let before = state.document.text(&settings);
    match options::set_limit(&before, &name, change) {
        Ok(after) => {
            let key = format!("{name} {:?}", std::mem::discriminant(&change));
            if state.document.edit_going_on(&settings, after, &key, &title(&name, change), state.now) {
                results::request(state)
            } else {
                if let Some(why) = state.document.files.get(&settings).and_then(|file| file.read_only.clone())
                {
                    state.notices.say(state.now, Tone::Warning, format!("{settings} is {why}"));
                }
                Vec::new()
            }
        }
        Err(error) => {
            let text = format!("{settings} cannot be changed: {}", error.message);
            state.notices.say(state.now, Tone::Error, text);
            Vec::new()
        }
    }
}

/// `package.Message.field`.
fn full_name(state: &State, field: &FieldKey) -> Option<String> {
    let view = state.derived.view.as_ref()?;
    let row = view.message.as_ref()?.fields.iter().find(|row| row.key == *field)?;
    Some(format!("{}.{}", field.message, row.name))
}

fn title(name: &str, change: LimitChange) -> String {
    let field = name.rsplit('.').next().unwrap_or_default();
    match change {
        LimitChange::MaxLen(value) => format!("max length of {field}: {value}"),
        LimitChange::MaxCount(value) => format!("max count of {field}: {value}"),
        LimitChange::Storage(StorageChoice::Inline) => format!("{field}: stored in the message"),
        LimitChange::Storage(StorageChoice::Streamed) => format!("{field}: streamed"),
        LimitChange::Storage(StorageChoice::Ignored) => format!("{field}: ignored"),
        LimitChange::IntWidth(width) => format!("{field}: {} bits", bits(width)),
    }
}

fn bits(width: IntWidth) -> u32 {
    match width {
        IntWidth::W8 => 8,
        IntWidth::W16 => 16,
        IntWidth::W32 => 32,
        IntWidth::W64 => 64,
    }
}
