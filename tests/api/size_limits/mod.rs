//! Size limits: texts, pages of lists, and issues with long histories.

mod histories;
mod pages;
mod texts;
