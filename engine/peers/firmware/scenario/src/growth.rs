//! The scenarios that ask what one more message type costs.

/// Makes the scenarios of 1, 5 and 20 types, of one shape and of varied shapes.
///
/// `$one!(equal | varied, Growth_01, Growth01, 1)` is the body of a function that sends one type and
/// gives its wire length, `None` if something is wrong; generators spell the type in one of the two ways.
#[macro_export]
macro_rules! growth_scenarios {
    ($one:ident) => {
        $crate::growth_scenarios!(@types $one equal);
        $crate::growth_scenarios!(@types $one varied);
        pub fn growth_1() -> u32 {
            fn run() -> Option<u32> {
                Some($one!(equal, Growth_01, Growth01, 1))
            }
            $crate::answer(run())
        }
        $crate::growth_scenarios!(@sum growth_5 equal: Growth_01 Growth_02 Growth_03 Growth_04 Growth_05);
        $crate::growth_scenarios!(@sum growth_20 equal: Growth_01 Growth_02 Growth_03 Growth_04 Growth_05
            Growth_06 Growth_07 Growth_08 Growth_09 Growth_10 Growth_11 Growth_12 Growth_13 Growth_14 Growth_15
            Growth_16 Growth_17 Growth_18 Growth_19 Growth_20);
        pub fn growth_1_varied() -> u32 {
            fn run() -> Option<u32> {
                Some($one!(varied, Growth_01, Growth01, 1))
            }
            $crate::answer(run())
        }
        $crate::growth_scenarios!(@sum growth_5_varied varied: Growth_01 Growth_02 Growth_03 Growth_04 Growth_05);
        $crate::growth_scenarios!(@sum growth_20_varied varied: Growth_01 Growth_02 Growth_03 Growth_04 Growth_05
            Growth_06 Growth_07 Growth_08 Growth_09 Growth_10 Growth_11 Growth_12 Growth_13 Growth_14 Growth_15
            Growth_16 Growth_17 Growth_18 Growth_19 Growth_20);
    };
    (@types $one:ident $shape:ident) => {
        /// One function for each type, as a program has one place for each message it sends.
        #[allow(non_snake_case)]
        mod $shape {
            use super::*;
            $crate::growth_scenarios!(@functions $one $shape:
                Growth_01 Growth01 1, Growth_02 Growth02 2, Growth_03 Growth03 3, Growth_04 Growth04 4,
                Growth_05 Growth05 5, Growth_06 Growth06 6, Growth_07 Growth07 7, Growth_08 Growth08 8,
                Growth_09 Growth09 9, Growth_10 Growth10 10, Growth_11 Growth11 11, Growth_12 Growth12 12,
                Growth_13 Growth13 13, Growth_14 Growth14 14, Growth_15 Growth15 15, Growth_16 Growth16 16,
                Growth_17 Growth17 17, Growth_18 Growth18 18, Growth_19 Growth19 19, Growth_20 Growth20 20);
        }
    };
    (@functions $one:ident $shape:ident: $($proto:ident $rust:ident $n:literal),*) => {
        $(
            #[inline(never)]
            pub fn $proto() -> Option<u32> {
                Some($one!($shape, $proto, $rust, $n))
            }
        )*
    };
    (@sum $scenario:ident $shape:ident: $($type:ident)*) => {
        pub fn $scenario() -> u32 {
            fn run() -> Option<u32> {
                Some(0 $(+ $shape::$type()?)*)
            }
            $crate::answer(run())
        }
    };
}
