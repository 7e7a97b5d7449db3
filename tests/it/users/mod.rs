mod current;
mod show;
