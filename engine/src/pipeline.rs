//! One edit: from sources to everything the window and the command line show.
