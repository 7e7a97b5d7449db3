//! In which texts of a record each word stands.

use super::{Highlighter, Trace, sort};

/// Which text of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its subject, title or name.
    Title,
    /// What it says at length.
    Text,
    /// The notes of its history.
    Notes,
    /// Names and descriptions of its files.
    Attachments,
    /// Values of its custom fields.
    CustomFields,
}

/// At most this many bytes of a text are read to say what stands there.
const READ: usize = 256 * 1024;

impl Place {
    /// All of them, in the order of showing.
    pub const ALL: [Place; 5] = [Place::Title, Place::Text, Place::Notes, Place::Attachments, Place::CustomFields];

    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Place::Title => "title",
            Place::Text => "text",
            Place::Notes => "notes",
            Place::Attachments => "attachments",
            Place::CustomFields => "custom_fields",
        }
    }
}

impl Highlighter<'_> {
    /// For each word of the question, alternatives included, where it stands in these texts as they are kept, of which at most
    /// 256 KB each are read.
    pub fn places<'t>(&self, texts: impl IntoIterator<Item = (Place, &'t str)>) -> Vec<Vec<Place>> {
        let mut places = vec![Vec::new(); self.stands_for.len()];
        for (place, text) in texts {
            let mut marks = Vec::new();
            let text = &text[..text.floor_char_boundary(READ)];
            self.read(text, (0, 0), &mut Trace::default(), &mut marks);
            sort(&mut marks);
            for mark in marks {
                if !places[mark.word].contains(&place) {
                    places[mark.word].push(place);
                }
            }
        }
        for places in &mut places {
            places.sort_unstable_by_key(|place| Place::ALL.iter().position(|known| known == place));
        }
        places
    }
}
