#!/bin/sh
# 이 묶음을 검사하고, 패키지 색인과 네트워크 없이 Thunder-DeID를 설치합니다.
# Checks this bundle and installs Thunder-DeID from it, with no package index and no network.
#
#   sh install.sh [--key MAKER.pub | --unsigned] [--python PYTHON] [--check] [--lang en] [FOLDER]
#
# FOLDER에 가상 환경을 만듭니다(아직 없는 폴더). --key는 만든 이의 공개 키로, 묶음과 다른 길로 받은
# 것이어야 합니다. --unsigned는 서명을 보지 않습니다. --check는 검사만 합니다.
# FOLDER becomes a virtual environment; it must not be there yet. --key is the maker's public key,
# which has to come another way than the bundle; --unsigned does without it. --check installs nothing.
# Messages are Korean; --lang en (or THUNDER_LANGUAGE=en) makes them English.
set -eu
export LC_ALL=C

lang=${THUNDER_LANGUAGE:-ko}
say() { if [ "$lang" = en ]; then echo "$2"; else echo "$1"; fi; }      # say KOREAN ENGLISH
fail() { say "install.sh: $1: 아무것도 설치하지 않았습니다" "install.sh: $2; nothing was installed" >&2; exit 1; }

key= unsigned= check= folder= python=
while [ $# -gt 0 ]; do
    case $1 in
    --key) [ $# -ge 2 ] || fail "--key에 파일을 주십시오" "--key needs a file"; key=$2; shift ;;
    --python) [ $# -ge 2 ] || fail "--python에 프로그램을 주십시오" "--python needs a program"; python=$2; shift ;;
    --lang) [ $# -ge 2 ] || fail "--lang에 ko나 en을 주십시오" "--lang needs ko or en"; lang=$2; shift ;;
    --unsigned) unsigned=1 ;;
    --check) check=1 ;;
    -*) fail "모르는 옵션 $1: 이 파일의 첫머리를 보십시오" "unknown option $1: see the head of this file" ;;
    *) folder=$1 ;;
    esac
    shift
done
[ -n "$check" ] || [ -n "$folder" ] || fail "설치할 폴더를 주십시오" "name the folder to install into"
[ -z "$folder" ] || [ ! -e "$folder" ] || fail "$folder: 이미 있습니다" "$folder is there already"
case $folder in ''|/*) ;; *) folder=$PWD/$folder ;; esac
case $key in ''|/*) ;; *) key=$PWD/$key ;; esac
case $python in ''|/*) ;; */*) python=$PWD/$python ;; esac
cd "$(dirname "$0")"

# The signature is of SHA256SUMS, which has the hash of all else.
[ -f SHA256SUMS ] || fail "SHA256SUMS가 없습니다" "SHA256SUMS is missing"
if [ -n "$key" ]; then
    [ -f "$key" ] || fail "$key: 그런 키가 없습니다" "there is no key $key"
    [ -f SHA256SUMS.sig ] || fail "서명이 없는 묶음입니다" "this bundle is not signed"
    command -v ssh-keygen >/dev/null || fail "ssh-keygen(OpenSSH 8.2 이상)이 없습니다" "ssh-keygen (OpenSSH 8.2 or later) is missing"
    signers=$(mktemp)
    trap 'rm -f "$signers"' EXIT
    echo "maker $(cut -d' ' -f1,2 "$key")" >"$signers"
    ssh-keygen -q -Y verify -f "$signers" -I maker -n thunder-deid-bundle -s SHA256SUMS.sig \
        <SHA256SUMS >/dev/null || fail "${key}의 서명이 아닙니다" "the signature is not that of $key"
    say "서명: $key" "signature: of $key"
elif [ -n "$unsigned" ]; then
    say "서명: 보지 않음(--unsigned)" "signature: not looked at (--unsigned)"
else
    fail "만든 이의 공개 키를 --key로 주십시오. 서명을 보지 않으려면 --unsigned" "give --key MAKER.pub, or --unsigned to do without the maker's signature"
fi
damaged=$(sha256sum --check --quiet SHA256SUMS 2>&1) || fail "만든 그대로가 아닙니다: $damaged" "not as it was made: $damaged"
listed=$(wc -l <SHA256SUMS)
present=$(find . -type f ! -path ./SHA256SUMS ! -path ./SHA256SUMS.sig | wc -l)
[ "$listed" -eq "$present" ] || fail "파일이 ${present}개인데 SHA256SUMS에는 ${listed}개입니다" "$present files where SHA256SUMS lists $listed"
[ -z "$(find . -type l)" ] || fail "파일 가운데 링크가 있습니다" "there are links among the files"
say "해시: 파일 ${listed}개가 만든 그대로입니다" "hashes: $listed files are as they were made"

fact() { sed -n "s/^$1=//p" target; }
[ "$(uname -s)" = Linux ] || fail "Linux용 묶음인데 여기는 $(uname -s)입니다" "this bundle is for Linux, this is $(uname -s)"
[ "$(uname -m)" = "$(fact machine)" ] ||
    fail "프로세서 $(fact machine)용 묶음인데 여기는 $(uname -m)입니다" "this bundle is for processors $(fact machine), this one is $(uname -m)"
has=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed -n 's/^glibc 2\.//p')
[ -n "$has" ] || fail "GNU C 라이브러리(glibc)가 있어야 합니다" "this bundle needs the GNU C library, glibc"
[ "${has%%.*}" -ge "$(fact glibc | cut -d. -f2)" ] ||
    fail "glibc $(fact glibc) 이상이 있어야 하는데 여기는 2.${has}입니다" "this bundle needs glibc $(fact glibc), this is 2.$has"
python=${python:-python$(fact python)}
command -v "$python" >/dev/null || fail "${python}이 없습니다: --python PROGRAM을 주십시오" "there is no $python: give --python PROGRAM"
asks='import sys; print("%s %d.%d%s" % (sys.implementation.name, *sys.version_info[:2],
    "" if getattr(sys, "_is_gil_enabled", lambda: True)() else " without its lock"))'
is=$("$python" -I -c "$asks" 2>/dev/null) ||
    fail "${python}이 실행되지 않습니다: --python PROGRAM을 주십시오" "$python does not run: give --python PROGRAM"
[ "$is" = "cpython $(fact python)" ] ||
    fail "cpython $(fact python)용 묶음인데 ${python}은 ${is}입니다" "this bundle is for cpython $(fact python), $python is $is"
"$python" -I -c 'import ensurepip, venv' 2>/dev/null ||
    fail "${python}에 venv가 없습니다: python$(fact python)-venv를 설치하십시오" "$python has no venv: install python$(fact python)-venv"
say "컴퓨터: $(fact machine), glibc 2.$has, Python $(fact python)" "machine: $(fact machine), glibc 2.$has, Python $(fact python)"
[ -z "$check" ] || exit 0

undo() { rm -rf "$folder"; fail "$1" "$2"; }
"$python" -I -m venv "$folder" || undo "${python}이 환경을 만들지 못했습니다" "$python made no environment"
env -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS "$folder/bin/python" -I -m pip \
    --isolated --disable-pip-version-check install --quiet --no-index --no-deps --require-hashes \
    --only-binary :all: --find-links wheels -r requirements.txt || undo "pip이 설치하지 못했습니다" "pip did not install it"
"$folder/bin/thunder" --version || undo "설치한 명령이 실행되지 않습니다" "the installed command does not run"
say "설치했습니다: $folder" "installed in $folder"
