mod current;
mod manage;
mod names;
mod show;
