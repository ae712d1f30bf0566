//! What must stay true of studies: links, lanes, partings, words.

#[cfg(test)]
mod studies;
#[cfg(test)]
mod sweep;
