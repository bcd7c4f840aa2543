#!/usr/bin/env bash
# Run a command as on a machine with nothing that the README does not ask for:
#     .ci/bare.sh [--no-pango] COMMAND ...
# HOME is empty. Browsers, PDF tools, other shells, node and libharfbuzz-subset are hidden, with
# --no-pango Pango too. They are covered by an empty file in a mount namespace, which only the command
# sees. Where no namespace is allowed, nothing is hidden, and stderr says so.
set -euo pipefail

libraries="libharfbuzz-subset"
if [ "${1:-}" = --no-pango ]; then
    libraries="libharfbuzz-subset|libpango[a-z0-9]*-1.0"
    shift
fi
programs="chromium chromium-browser google-chrome google-chrome-stable microsoft-edge msedge
    pdftotext pdftoppm qpdf convert magick zsh fish node npm npx strace"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home"
touch "$folder/empty"
{
    # shellcheck disable=SC2086
    type -ap $programs || true
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p | sed -En "s#^\s*($libraries)\.so.* => ##p"
} | xargs -r readlink -f | sort -u >"$folder/hidden"

# Root of the machine needs no user namespace; anybody else becomes root of one.
bare=""
for namespace in "unshare --mount" "unshare --mount --map-root-user"; do
    if $namespace mount --bind "$folder/empty" "$folder/empty" 2>/dev/null; then
        bare=$namespace
        break
    fi
done
if [ -z "$bare" ]; then
    echo "bare.sh: namespaces are not allowed here; nothing is hidden" >&2
    : >"$folder/hidden"
fi

# shellcheck disable=SC2016
env -u XDG_CACHE_HOME -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_STATE_HOME \
    -u CHARFORGE_AXE -u CHARFORGE_EDITOR HOME="$folder/home" \
    $bare bash -ec 'while read -r file; do mount --bind "$0/empty" "$file"; done <"$0/hidden"; exec "$@"' \
    "$folder" "$@"
