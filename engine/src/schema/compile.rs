//! Files to descriptors, one after the other, so that an error in one leaves the others checked.

use std::collections::{BTreeSet, HashMap, HashSet};

use prost_reflect::DescriptorPool;
use prost_reflect::prost_types::{DescriptorProto, FileDescriptorProto};
use protox::file::File;

use super::bundled;
use super::load::Sources;
use super::problem::{ascii, problems};
use crate::syntax::{DeclKind, Outline};

/// Compiles all files that can be; the pool is `None` if one of the user's files could not.
pub(super) fn compile(sources: &mut Sources) -> Option<DescriptorPool> {
    let mut pool = DescriptorPool::new();
    let mut is_whole = true;
    for at in sources.order.clone() {
        let unusable = |import: &super::load::Import| match import.target {
            Some(target) => sources.files[target].is_broken,
            None => true,
        };
        let imports_are_usable = !sources.files[at].imports.iter().any(unusable);
        let compiled = match sources.files[at].is_broken {
            true => None,
            false => compile_one(&mut pool, at, imports_are_usable, sources),
        };
        if compiled.is_none() {
            sources.files[at].is_broken = true;
            is_whole = false;
        }
    }
    // Built anew from its descriptors: the first build decides packing before it reads the options.
    match DescriptorPool::decode(pool.encode_to_vec().as_slice()) {
        Ok(pool) => is_whole.then_some(pool),
        Err(why) => {
            sources.diagnostics.push(crate::diagnostic::Diagnostic::error(None, why.to_string()));
            None
        }
    }
}

fn compile_one(
    pool: &mut DescriptorPool,
    at: usize,
    imports_are_usable: bool,
    sources: &mut Sources,
) -> Option<()> {
    let file = &sources.files[at];
    let parsed = match &file.source {
        None => bundled::google(&file.path).or_else(bundled::nanopb),
        Some(source) => {
            match File::from_source(&file.path, &without_range_options(&source.text, &file.outline)) {
                Ok(parsed) => Some(parsed.file_descriptor_proto().clone()),
                Err(error) => {
                    let found = problems(&error, at, sources);
                    sources.diagnostics.extend(found);
                    None
                }
            }
        }
    };
    let mut proto = parsed?;
    if !imports_are_usable {
        return None;
    }
    proto.name = Some(sources.files[at].path.to_string());
    import_public_too(&mut proto, at, sources);
    if proto.syntax() != "proto3" {
        part_json_names(&mut proto);
    }
    sources.files[at].was_checked = true;
    if let Err(error) = pool.add_file_descriptor_proto(proto) {
        let error = protox::Error::from(error.with_source_code(&ascii(sources.files[at].text())));
        let found = problems(&error, at, sources);
        sources.diagnostics.extend(found);
        return None;
    }
    Some(())
}

/// The text with the options of extension ranges blanked, which the parser does not know. They only
/// declare who uses a number. Same length and lines, so that every place stays right.
fn without_range_options(text: &str, outline: &Outline) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (_, decl) in outline.of_kind(DeclKind::Extensions) {
        let range = decl.name_range.clone();
        if let Some(start) = text[range.clone()].find('[') {
            for byte in &mut bytes[range.start + start..range.end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
    }
    // Whole tokens were blanked, so no character was cut.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Names the imports by path and adds what they import publicly, to the end: the compiler itself
/// follows public imports one hop only.
fn import_public_too(proto: &mut FileDescriptorProto, at: usize, sources: &Sources) {
    let mut seen = HashSet::new();
    let mut names = Vec::new();
    let mut public = Vec::new();
    let mut waiting = Vec::new();
    for import in &sources.files[at].imports {
        let Some(target) = import.target else { continue };
        if import.is_public {
            public.push(target);
        }
        if seen.insert(target) {
            names.push(target);
            waiting.push(target);
        }
    }
    while let Some(next) = waiting.pop() {
        for import in sources.files[next].imports.iter().filter(|import| import.is_public) {
            if let Some(target) = import.target.filter(|target| seen.insert(*target)) {
                names.push(target);
                waiting.push(target);
            }
        }
    }
    proto.public_dependency =
        (0..names.len()).filter(|index| public.contains(&names[*index])).map(|index| index as i32).collect();
    proto.weak_dependency.clear();
    proto.dependency = names.iter().map(|target| sources.files[*target].path.to_string()).collect();
}

/// Gives fields whose ProtoJSON names clash the name they are declared with. In proto2 protoc only
/// warns about the clash, but the compiler refuses it.
fn part_json_names(proto: &mut FileDescriptorProto) {
    let mut waiting: Vec<&mut DescriptorProto> = proto.message_type.iter_mut().collect();
    while let Some(message) = waiting.pop() {
        let mut uses: HashMap<String, u32> = HashMap::new();
        for field in message.field.iter().filter(|field| field.json_name.is_none()) {
            *uses.entry(json_name(field.name())).or_default() += 1;
        }
        let written: BTreeSet<String> =
            message.field.iter().filter_map(|field| field.json_name.clone()).collect();
        for field in message.field.iter_mut().filter(|field| field.json_name.is_none()) {
            let name = json_name(field.name());
            if uses[&name] > 1 || written.contains(&name) {
                field.json_name = Some(field.name().to_owned());
            }
        }
        waiting.extend(message.nested_type.iter_mut());
    }
}

/// The default ProtoJSON name: underscores away, the letter after each in upper case.
fn json_name(name: &str) -> String {
    let mut result = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                result.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => result.push(c),
        }
    }
    result
}
