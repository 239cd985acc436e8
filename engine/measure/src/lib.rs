//! Measurement of generated codecs.
