//! How do values look outside?
