# Sourced by ./run and ./test: finds what is missing on this machine, says why it is needed and how to get
# it, and installs it where that can be done. Does nothing where nothing is missing.

# Rows of "command or file to look for | Debian package | why".
wirebench_needs_build='
cc|gcc|links every Rust program
/usr/include/stdio.h|libc6-dev|links every Rust program
'
wirebench_needs_measure='
/usr/bin/rustc|rustc-web|compiles firmware where rustup cannot add a target
/usr/bin/cargo|cargo-web|compiles firmware where rustup cannot add a target
/usr/lib/rustlib/src/rust/library/core/src/lib.rs|rust-web-src|sources of the core library for the firmware
ld.lld|lld|links the firmware
'
wirebench_needs_window='
lib:libxkbcommon-x11.so.0|libxkbcommon-x11-0|keyboard input in the window
lib:libX11-xcb.so.1|libx11-xcb1|opens the window
lib:libXcursor.so.1|libxcursor1|opens the window
lib:libXi.so.6|libxi6|opens the window
lib:libXrandr.so.2|libxrandr2|opens the window
lib:libEGL.so.1|libegl1|draws the window
lib:libGL.so.1|libgl1|draws the window
lib:libdbus-1.so.3|libdbus-1-3|file dialogs
/usr/share/vulkan/icd.d|mesa-vulkan-drivers|draws the window where there is no graphics card
'

wirebench_has() {
    case "$1" in
    lib:*) ldconfig -p 2>/dev/null | grep -q "${1#lib:}" || ls /usr/lib/*/"${1#lib:}" >/dev/null 2>&1 ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# Whether firmware can be compiled by rustup's toolchain already, so that Debian's is not needed.
wirebench_rustup_target() {
    [ -d "$(rustc --print sysroot 2>/dev/null)/lib/rustlib/thumbv7em-none-eabihf/lib" ]
}

# wirebench_setup YES NEEDS...: asks once on a terminal unless YES is 1; elsewhere goes ahead.
wirebench_setup() {
    local yes=$1 missing='' packages='' what package why answer sudo=''
    shift
    if ! command -v cargo >/dev/null 2>&1; then
        echo 'cargo is missing: it builds Wirebench. Install rustup with your system, then run: rustup default stable' >&2
        return 2
    fi
    while IFS='|' read -r what package why; do
        [ -n "$what" ] || continue
        wirebench_has "$what" && continue
        missing="$missing  $package: $why"$'\n'
        packages="$packages $package"
    done <<<"$(printf '%s\n' "$@")"
    [ -n "$packages" ] || return 0
    printf 'Missing on this machine:\n%s' "$missing" >&2
    if ! command -v apt-get >/dev/null 2>&1; then
        printf 'Install the packages of your system that provide them (named as in Debian:%s), then run this again.\n' "$packages" >&2
        printf 'For the firmware, on any system with rustup: rustup target add thumbv7em-none-eabihf\n' >&2
        return 2
    fi
    [ "$(id -u)" = 0 ] || sudo=sudo
    printf 'Commands:\n  %s apt-get update\n  %s apt-get install -y --no-install-recommends%s\n' "$sudo" "$sudo" "$packages" >&2
    if [ "$yes" != 1 ] && [ -t 0 ]; then
        printf 'Run them now? [Y/n] ' >&2
        read -r answer
        case "$answer" in '' | y* | Y* | j* | J*) ;; *) return 2 ;; esac
    fi
    # shellcheck disable=SC2086
    $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $packages >&2 || {
        echo 'The packages could not be installed; see the messages above.' >&2
        return 2
    }
}
