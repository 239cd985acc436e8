// The shape of generated code, shortened: what a program that uses it can rely on.

pub mod comparison {
    /// A sensor's state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(transparent)]
    pub struct Status(pub i32);

    impl Status {
        pub const OK: Status = Status(0);
        pub const WARNING: Status = Status(1);
        pub const ERROR: Status = Status(2);

        /// Whether the schema names this number.
        pub const fn is_known(self) -> bool {
            ::core::matches!(self.0, 0 | 1 | 2)
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    #[repr(C)]
    pub struct Telemetry {
        pub timestamp: u64,
        pub device_id: u32,
        pub temperature: f32,
        pub humidity: f32,
        pub battery_mv: u32,
        pub status: Status,
        pub rssi: i32,
    }

    #[derive(Clone, Debug, PartialEq)]
    #[repr(C)]
    pub struct DeviceCommand {
        pub sequence: u32,
        pub action: device_command::Action,
    }

    pub mod device_command {
        #[derive(Clone, Debug, PartialEq)]
        #[repr(C, u8)]
        pub enum Action {
            /// None of the members.
            NotSet,
            SetOutput(bool),
            MoveTo(i32),
            RebootDelayMs(u32),
        }
    }

    // Peripheral as DeviceCommand: `pub index: u32, pub kind: peripheral::Kind` with
    // `peripheral::Kind::Uart(super::UartConfig)`.

    #[derive(Clone, Debug, PartialEq)]
    #[repr(C)]
    pub struct Configuration {
        pub version: u32,
        pub peripherals: ::wirebench_runtime::List<Peripheral, 8>,
        pub report_interval_ms: u32,
        pub device_name: ::wirebench_runtime::Text<32>,
        pub has: ConfigurationHas,
    }

    /// Which fields of [`Configuration`] are present.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[repr(transparent)]
    pub struct ConfigurationHas([u8; 1]);

    impl ConfigurationHas {
        pub const NONE: ConfigurationHas = ConfigurationHas([0]);
        pub const REPORT_INTERVAL_MS: ConfigurationHas = ConfigurationHas([1]);
        // contains(self, other) -> bool, `|`, `|=`
    }

    impl Configuration {
        pub const fn new() -> Configuration;
        pub const fn report_interval_ms(&self) -> ::core::option::Option<u32>;
        pub const fn set_report_interval_ms(&mut self, value: u32);
        pub const fn with_report_interval_ms(self, value: u32) -> Configuration;
        pub const fn clear_report_interval_ms(&mut self);
    }

    // `impl ::wirebench_runtime::Message` for all of them.

    pub mod streamed {
        /// `impl ::wirebench_runtime::StreamMessage`; `data` is not here.
        #[derive(Clone, Debug, PartialEq)]
        #[repr(C)]
        pub struct FirmwareChunk {
            pub offset: u32,
            pub total_size: u32,
            pub crc32: u32,
        }
    }
}
