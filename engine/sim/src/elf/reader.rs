//! Checked access to the bytes of a file: every read either lies inside it or is an error.

use super::ElfError;

/// The file's bytes, and how many bytes of names may still be taken from it.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    names_left: usize,
    names_limit: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        // Real files share at most name endings, so 16 times the file is generous.
        let names_limit = bytes.len().saturating_mul(16);
        Self { bytes, names_left: names_limit, names_limit }
    }

    /// `size` bytes at `offset`; `what` names them in the error.
    pub(super) fn slice(&self, what: &'static str, offset: u64, size: u64) -> Result<&'a [u8], ElfError> {
        let range = usize::try_from(offset).ok().zip(offset.checked_add(size));
        range
            .and_then(|(start, end)| self.bytes.get(start..usize::try_from(end).ok()?))
            .ok_or(ElfError::Truncated { what, offset, file: self.bytes.len() as u64 })
    }

    pub(super) fn u16(&self, what: &'static str, offset: u64) -> Result<u16, ElfError> {
        let bytes = self.slice(what, offset, 2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&self, what: &'static str, offset: u64) -> Result<u32, ElfError> {
        let bytes = self.slice(what, offset, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// The NUL-terminated name at `offset` of a string table.
    pub(super) fn name(&mut self, table: &[u8], offset: u32) -> Result<String, ElfError> {
        let bad = ElfError::Name { offset };
        let tail = table.get(offset as usize..).ok_or(bad.clone())?;
        let within = &tail[..tail.len().min(self.names_left.saturating_add(1))];
        let Some(length) = within.iter().position(|&b| b == 0) else {
            let cut = within.len() < tail.len();
            return Err(if cut { ElfError::NamesTooLong { limit: self.names_limit } } else { bad });
        };
        self.names_left -= length;
        Ok(std::str::from_utf8(&tail[..length]).map_err(|_| bad)?.to_owned())
    }
}
