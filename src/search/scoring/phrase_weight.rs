//! The terms of phrases, looked up for all segments.

use tantivy::Term;
use tantivy::schema::IndexRecordOption;

use super::bm25::Bm25;
use super::phrase::{PhraseScorer, SectionPostings};
use super::statistics::Statistics;
use super::term_postings::TermPostings;
use crate::access::restricted::RestrictedTextFilter;
use crate::analyzer::Section;
use crate::snapshot::Segment;

/// The terms of a phrase.
pub(super) struct PhraseTerms {
    /// The terms, each with its distance to the last one in positions.
    pub parts: Vec<(TermPostings, u32)>,
    pub bm25: Option<Bm25>,
}

impl PhraseTerms {
    /// Looks up terms with their offsets; `None` if the index lacks one. `boost` is the factor of
    /// scores, `None` for no scores.
    pub fn look_up(
        terms: &[(usize, Term)],
        boost: Option<f32>,
        restriction: Option<&RestrictedTextFilter>,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Option<PhraseTerms>> {
        let last = terms.iter().map(|(offset, _)| *offset).max().unwrap_or(0);
        let mut parts = Vec::with_capacity(terms.len());
        let mut idf = 0.0;
        for (offset, term) in terms {
            let Some(postings) = TermPostings::look_up(term, statistics)? else {
                return Ok(None);
            };
            if boost.is_some() {
                idf += statistics.idf(term, restriction)?;
            }
            parts.push((postings, u32::try_from(last - offset).unwrap_or(u32::MAX)));
        }
        let Some((first, _)) = parts.first() else {
            return Ok(None);
        };
        let norms = statistics.norms(first.field())?;
        let bm25 = boost.map(|boost| Bm25::new(idf, boost, norms));
        Ok(Some(PhraseTerms { parts, bm25 }))
    }
}

/// The terms between which a section stands in the text of a field.
pub(crate) struct SectionBounds {
    begin: TermPostings,
    /// The term of the section after it, if any record has one.
    end: Option<TermPostings>,
}

impl SectionBounds {
    /// Looks up the bounds of a section in the field of these terms; `None` if no record has it.
    pub fn look_up(
        terms: &[(usize, Term)],
        section: Section,
        statistics: &Statistics<'_>,
    ) -> tantivy::Result<Option<SectionBounds>> {
        let next = match section {
            Section::Title => Some(Section::Text),
            Section::Text => Some(Section::Notes),
            Section::Notes => None,
        };
        let Some((_, first)) = terms.first() else {
            return Ok(None);
        };
        let postings = |section: Option<Section>| -> tantivy::Result<Option<TermPostings>> {
            let Some(text) = section.and_then(Section::term) else {
                return Ok(None);
            };
            TermPostings::look_up(&Term::from_field_text(first.field(), text), statistics)
        };
        let end = postings(next)?;
        Ok(postings(Some(section))?.map(|begin| SectionBounds { begin, end }))
    }

    /// Returns the postings of a segment; `None` if no record of it has the section.
    pub fn postings(&self, segment: usize) -> tantivy::Result<Option<SectionPostings>> {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let Some(begin) = self.begin.postings(segment, option)? else {
            return Ok(None);
        };
        let end = match &self.end {
            Some(end) => end.postings(segment, option)?,
            None => None,
        };
        Ok(Some(SectionPostings::new(begin, end)))
    }
}

/// Creates the scorer of a phrase over the documents of a segment; `None` if one of its terms is in
/// none.
pub(super) fn phrase_scorer(
    terms: &[(TermPostings, u32)],
    slop: u32,
    section: Option<SectionPostings>,
    bm25: Option<Bm25>,
    segment: Segment<'_>,
) -> tantivy::Result<Option<PhraseScorer>> {
    let mut parts = Vec::with_capacity(terms.len());
    for (term, to_last) in terms {
        match term.postings(segment.ord, IndexRecordOption::WithFreqsAndPositions)? {
            Some(postings) => parts.push((postings, *to_last)),
            None => return Ok(None),
        }
    }
    let Some((first, _)) = terms.first() else {
        return Ok(None);
    };
    let fieldnorms = first.fieldnorms(segment)?;
    Ok(Some(PhraseScorer::new(
        parts, slop, section, fieldnorms, bm25,
    )))
}
