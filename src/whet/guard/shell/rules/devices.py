"""Commands that destroy data on disks: partition tools, and any other tool that is given a disk."""

import re
from collections.abc import Iterator

from whet.guard.shell.model.call import Call
from whet.guard.shell.model.harm import Harm
from whet.guard.shell.model.queries import is_query
from whet.guard.shell.rules.rule import Rule, RuleHit, always, phrase

_DESTROYS_DATA = "destroys the data on a device"
_FILE_SYSTEMS = (
    "ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "fat", "ntfs", "f2fs", "minix",
    "exfat", "jfs", "reiserfs", "cramfs", "bfs", "msdos",
)  # fmt: skip
_DISK = re.compile(
    r"(?:of=|--?[\w-]+=)?/dev/(?:[hsv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|mapper/|disk/|sr\d"
    r"|mtd)[\w/.:-]*"
)
# Tools that only look at a disk, or have rules of their own.
_MAY_NAME_DISK = frozenset({
    "ls", "ll", "stat", "file", "lsblk", "blkid", "df", "du", "findmnt", "smartctl", "udevadm", "blockdev",
    "dumpe2fs", "fdisk", "parted", "sfdisk", "sgdisk", "gdisk", "hdparm", "nvme", "diskutil", "readlink",
    "realpath", "test", "[", "[[", "echo", "printf", "grep", "mount", "umount", "eject", "iostat", "lsof",
    "fuser", "xfs_info", "btrfs", "mdadm", "cryptsetup", "losetup", "chmod", "chown", "hwinfo", "inxi", "fio",
    "strings", "xxd", "hexdump", "od", "head", "cat", "dd", "dcfldd", "pv", "sha256sum", "md5sum", "isoinfo",
    "docker", "podman", "growisofs", "wodim", "cdparanoia", "swapon", "find", "tail", "awk", "sed", "cut",
    "e2label", "fsck", "badblocks", "git", "rg", "pvs", "pvscan", "pvdisplay", "vgs", "vgdisplay", "lvs", "lvdisplay",
    "lvscan", "blktrace", "blkparse", "lsscsi", "sg_inq", "sg_vpd", "handbrakecli", "HandBrakeCLI", "vlc", "mpv",
    "mplayer", "abcde", "ioping", "grub-probe", "grub-mount", "hd-idle", "photorec", "e2image", "lvmdevices", "veracrypt",
    "systemd-cryptsetup", "pmount", "pumount", "udisksctl", "dislocker", "exfatlabel", "fatlabel", "ntfslabel", "pvck",
})  # fmt: skip


# Wrappers: the command that they start is judged by itself.
_START_OTHERS = frozenset({
    "sudo", "doas", "pkexec", "run0", "env", "nice", "ionice", "timeout", "nohup", "time", "watch", "stdbuf", "setsid",
    "strace", "command", "exec", "xargs", "parallel", "ssh", "bash", "sh",
})  # fmt: skip


def disk_argument_hits(call: Call) -> Iterator[RuleHit]:
    """Yield the disks among the arguments of a tool that may change them."""
    if not any(call.name in names for names in (_MAY_NAME_DISK, _START_OTHERS, RULES)) and not is_query(call):
        for word in call.args:
            if "/dev/" in word and _DISK.fullmatch(word):
                yield Harm.DEVICE, f"changes the disk {word}"


def edit_partitions(call: Call) -> Iterator[RuleHit]:
    if not call.options.has("lL", "list", "help", "version", "dump", "print") and "print" not in call.args:
        yield Harm.DEVICE, "changes the partitions of a device"


def check_disk(call: Call) -> Iterator[RuleHit]:
    if call.options.has("w") or (call.name == "fsck" and call.options.has("yfp")):
        yield Harm.DEVICE, "overwrites the data on a device"


_ALWAYS = (always(Harm.DEVICE, _DESTROYS_DATA),)


def make_device(call: Call) -> Iterator[RuleHit]:
    if not {"b", "c", "u"}.isdisjoint(call.args):
        yield Harm.DEVICE, "makes a second name of a device"


RULES: dict[str, tuple[Rule, ...]] = {
    "mknod": (make_device,),
    **dict.fromkeys(
        (
            "mkfs", "mke2fs", "wipefs", "mkswap", "blkdiscard", "mkntfs", "mkdosfs", "lvremove", "vgremove",
            "pvremove", "flashrom", "efibootmgr", "newfs", "format",
            *(f"mkfs.{kind}" for kind in _FILE_SYSTEMS),
        ),
        _ALWAYS,
    ),
    **dict.fromkeys(("Format-Volume", "Clear-Disk", "Initialize-Disk", "diskpart", "nwipe", "dban"), _ALWAYS),
    **dict.fromkeys(("fdisk", "sfdisk", "sgdisk", "gdisk", "parted", "cfdisk"), (edit_partitions,)),
    **dict.fromkeys(("badblocks", "fsck"), (check_disk,)),
    "cryptsetup": (
        phrase(
            "erase|luksErase|luksFormat|reencrypt|luksKillSlot|luksRemoveKey",
            Harm.DEVICE,
            "destroys the keys of a volume",
        ),
    ),
    "zpool": (phrase("destroy|labelclear", Harm.DEVICE, "destroys a pool"),),
    "zfs": (phrase("destroy|rollback", Harm.DEVICE, "destroys a file system"),),
    "btrfs": (
        phrase("subvolume delete", Harm.DEVICE, "destroys a subvolume"),
        phrase("device remove|delete", Harm.DEVICE, _DESTROYS_DATA),
    ),
    "nvme": (phrase("format|sanitize|write-zeroes|delete-ns", Harm.DEVICE, _DESTROYS_DATA),),
    "mdadm": (phrase("--zero-superblock|--stop|--remove|--fail", Harm.DEVICE, "destroys an array"),),
    "diskutil": (
        phrase(
            "eraseDisk|eraseVolume|secureErase|partitionDisk|zeroDisk|reformat|randomDisk",
            Harm.DEVICE,
            _DESTROYS_DATA,
        ),
        phrase("apfs deleteContainer|deleteVolume|eraseVolume", Harm.DEVICE, _DESTROYS_DATA),
    ),
    "hdparm": (
        phrase(
            "--security-erase|--security-erase-enhanced|--trim-sector-ranges|--write-sector|--make-bad-sector",
            Harm.DEVICE,
            _DESTROYS_DATA,
        ),
    ),
    "pvck": (phrase("--repair|--repairtype", Harm.DEVICE, _DESTROYS_DATA),),
    "dmsetup": (phrase("remove|remove_all|wipe_table|clear|suspend", Harm.DEVICE, "removes volumes"),),
    "lvchange": (phrase("-a", Harm.DEVICE, "removes volumes"),),
    **dict.fromkeys(("lvreduce", "vgreduce", "lvresize"), (always(Harm.DEVICE, "makes a volume smaller"),)),
}  # fmt: skip
