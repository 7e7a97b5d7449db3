//! Counts hits by the values of a facet.

use crate::schema::columns::{Attribute, Facet, FacetCounts};

/// Values below this are counted in a vector, others in a map. Most ids are small, and so are days
/// since 1970, by which years are counted first.
const MAX_DENSE: usize = 32_768;
const SECONDS_PER_DAY: i64 = 86_400;

/// The counts of one facet while hits are collected.
pub(crate) struct FacetCounter {
    facet: Facet,
    dense: Vec<u64>,
    others: FacetCounts,
}

impl FacetCounter {
    /// Starts with no hits.
    pub fn new(facet: Facet) -> FacetCounter {
        FacetCounter {
            facet,
            dense: Vec::new(),
            others: FacetCounts::new(),
        }
    }

    /// Returns the attribute that is counted.
    pub fn attribute(&self) -> Attribute {
        self.facet.attribute()
    }

    /// Adds a hit with this value of the attribute.
    #[inline]
    pub fn add(&mut self, attribute_value: i64) {
        let value = if self.facet == Facet::Year {
            attribute_value.div_euclid(SECONDS_PER_DAY)
        } else {
            attribute_value
        };
        match usize::try_from(value) {
            Ok(index) if index < MAX_DENSE => {
                if index >= self.dense.len() {
                    self.dense.resize(index + 1, 0);
                }
                self.dense[index] += 1;
            }
            _ => *self.others.entry(value).or_default() += 1,
        }
    }

    /// Returns the number of hits by value of the facet.
    pub fn into_counts(self) -> FacetCounts {
        let dense = (0..).zip(self.dense).filter(|(_, count)| *count > 0);
        let mut counts = FacetCounts::new();
        for (value, count) in dense.chain(self.others) {
            let attribute_value = if self.facet == Facet::Year {
                value * SECONDS_PER_DAY
            } else {
                value
            };
            if let Some(value) = self.facet.value(attribute_value) {
                *counts.entry(value).or_default() += count;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_a_map() {
        let second = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second();
        let times = [
            "1969-12-31T23:59:59Z",
            "1970-01-01T00:00:00Z",
            "2024-12-31T23:59:59Z",
            "2025-01-01T00:00:00Z",
            "2025-06-01T00:00:00Z",
            "2150-01-01T12:00:00Z",
        ];
        let ids = [0, 1, 1, 7, 32_767, 32_768, i64::MAX, 7, -1];
        for facet in Facet::ALL.iter().copied() {
            let values = if facet == Facet::Year {
                times.map(second).to_vec()
            } else {
                ids.to_vec()
            };
            let mut counter = FacetCounter::new(facet);
            let mut expected = FacetCounts::new();
            for value in values {
                counter.add(value);
                if let Some(value) = facet.value(value) {
                    *expected.entry(value).or_default() += 1;
                }
            }
            assert_eq!(counter.into_counts(), expected, "{}", facet.name());
        }
    }
}
