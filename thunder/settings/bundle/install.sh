#!/bin/sh
# Checks this bundle and installs Thunder-DeID from it, with no package index and no network.
#
#   sh install.sh [--key MAKER.pub | --unsigned] [--python PYTHON] [--check] [FOLDER]
#
# FOLDER becomes a virtual environment; it must not be there yet. --key is the maker's public key,
# which has to come another way than the bundle; --unsigned does without it. --check installs nothing.
set -eu
export LC_ALL=C

fail() { echo "install.sh: $*; nothing was installed" >&2; exit 1; }

key= unsigned= check= folder= python=
while [ $# -gt 0 ]; do
    case $1 in
    --key) [ $# -ge 2 ] || fail "--key needs a file"; key=$2; shift ;;
    --python) [ $# -ge 2 ] || fail "--python needs a program"; python=$2; shift ;;
    --unsigned) unsigned=1 ;;
    --check) check=1 ;;
    -*) fail "unknown option $1: see the head of this file" ;;
    *) folder=$1 ;;
    esac
    shift
done
[ -n "$check" ] || [ -n "$folder" ] || fail "name the folder to install into"
[ -z "$folder" ] || [ ! -e "$folder" ] || fail "$folder is there already"
case $folder in ''|/*) ;; *) folder=$PWD/$folder ;; esac
case $key in ''|/*) ;; *) key=$PWD/$key ;; esac
case $python in ''|/*) ;; */*) python=$PWD/$python ;; esac
cd "$(dirname "$0")"

# The signature is of SHA256SUMS, which has the hash of all else.
[ -f SHA256SUMS ] || fail "SHA256SUMS is missing"
if [ -n "$key" ]; then
    [ -f "$key" ] || fail "there is no key $key"
    [ -f SHA256SUMS.sig ] || fail "this bundle is not signed"
    command -v ssh-keygen >/dev/null || fail "ssh-keygen (OpenSSH 8.2 or later) is missing"
    signers=$(mktemp)
    trap 'rm -f "$signers"' EXIT
    echo "maker $(cut -d' ' -f1,2 "$key")" >"$signers"
    ssh-keygen -q -Y verify -f "$signers" -I maker -n thunder-deid-bundle -s SHA256SUMS.sig \
        <SHA256SUMS >/dev/null || fail "the signature is not that of $key"
    echo "signature: of $key"
elif [ -n "$unsigned" ]; then
    echo "signature: not looked at (--unsigned)"
else
    fail "give --key MAKER.pub, or --unsigned to do without the maker's signature"
fi
damaged=$(sha256sum --check --quiet SHA256SUMS 2>&1) || fail "not as it was made: $damaged"
listed=$(wc -l <SHA256SUMS)
present=$(find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | wc -l)
[ "$listed" -eq "$present" ] || fail "$present files where SHA256SUMS lists $listed"
[ -z "$(find . -type l)" ] || fail "there are links among the files"
echo "hashes: $listed files are as they were made"

fact() { sed -n "s/^$1=//p" target; }
[ "$(uname -s)" = Linux ] || fail "this bundle is for Linux, this is $(uname -s)"
[ "$(uname -m)" = "$(fact machine)" ] ||
    fail "this bundle is for processors $(fact machine), this one is $(uname -m)"
has=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc 2\.//p')
[ -n "$has" ] || fail "this bundle needs the GNU C library, glibc"
[ "${has%%.*}" -ge "$(fact glibc | cut -d. -f2)" ] ||
    fail "this bundle needs glibc $(fact glibc), this is 2.$has"
python=${python:-python$(fact python)}
command -v "$python" >/dev/null || fail "there is no $python: give --python PROGRAM"
is=$("$python" -I -c 'import sys; print("%s %d.%d%s" % (sys.implementation.name, *sys.version_info[:2],
    "" if getattr(sys, "_is_gil_enabled", lambda: True)() else " without its lock"))')
[ "$is" = "cpython $(fact python)" ] ||
    fail "this bundle is for cpython $(fact python), $python is $is"
"$python" -I -c 'import ensurepip, venv' 2>/dev/null ||
    fail "$python has no venv: install python$(fact python)-venv"
echo "machine: $(fact machine), glibc 2.$has, Python $(fact python)"
[ -z "$check" ] || exit 0

undo() { rm -rf "$folder"; fail "$*"; }
"$python" -I -m venv "$folder" || undo "$python made no environment"
env -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS "$folder/bin/python" -I -m pip \
    --isolated --disable-pip-version-check install --quiet --no-index --no-deps --require-hashes \
    --only-binary :all: --find-links wheels -r requirements.txt || undo "pip did not install it"
"$folder/bin/thunder" --version || undo "the installed command does not run"
echo "installed in $folder"
