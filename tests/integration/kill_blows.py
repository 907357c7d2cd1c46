"""What is done to a running job: kill -9 and SIGSTOP, aimed at what the job is just doing."""

import os
import random
import signal
import time

from kill_world import STEP_SECONDS, Over, World, Wrong, poll, state_and_parent

TRIES = 5
SILENCE_SECONDS = 10
SLACK_SECONDS = 2.5  # of a busy machine
NEEDS_ROLLBACK = ("ps", "trainer", "master")


def role_of(name: str) -> str:
    return name.split("-")[0]


def any_of(role: str, chance: random.Random) -> str:
    return "master-0" if role == "master" else f"{role}-{chance.randrange(2)}"


def strike(world: World, names: list[str], pids: list[int]) -> float:
    """kill -9 of these, at once; the time just before."""
    when = time.time()
    for name, pid in zip(names, pids):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            raise Over(f"{name} is there to be killed") from None
        world.hits[f"kill {role_of(name)}"] += 1
    if any(role_of(name) in NEEDS_ROLLBACK for name in names):
        world.last_blow = when
    return when


def wait_before(world: World, chance: random.Random, save_points: int = 2) -> None:
    """Until the job runs well, and then to no particular moment of it."""
    world.settle()
    world.wait_for_save_points(save_points)
    moment = time.monotonic() + chance.uniform(0, 0.35)
    world.until(lambda: time.monotonic() >= moment, "some moment")


def kill(*roles: str):
    """kill -9 of one replica of each, at once."""
    def act(world: World, chance: random.Random) -> None:
        wait_before(world, chance)
        names = [any_of(role, chance) for role in roles]
        pids = [world.replica(name)[0] for name in names]
        strike(world, names, pids)
        if "master" in roles and "trainer" in roles:
            world.hits["master with trainer"] += 1
        world.story.append(f"kill {'+'.join(names)} after record {world.record()}")
    return act


def kill_node(world: World, chance: random.Random) -> None:
    """kill -9 of `primus run`, which is node; everything dies with it, and `resume` goes on."""
    wait_before(world, chance)
    world.last_blow = time.time()
    world.node.kill()
    if world.node.wait() != -signal.SIGKILL:
        raise Over("node is killed")
    world.hits["kill node"] += 1
    world.story.append(f"kill node after record {world.record()}, resume")
    world.resume()


def kill_in_cut(role: str):
    """kill -9 of a ps or trainer between freeze and manifest: when the first part is begun."""
    def act(world: World, chance: random.Random) -> None:
        for _ in range(TRIES):
            wait_before(world, chance, 1)
            if try_in_cut(world, any_of(role, chance), chance):
                world.hits["between freeze and manifest"] += 1
                return
        raise Wrong(f"no {role} could be killed between freeze and manifest in {TRIES} tries")
    return act


def try_in_cut(world: World, name: str, chance: random.Random) -> bool:
    pid = world.replica(name)[0]
    # A trainer's part in the cut is over: a ps is held up, so that its loss comes in time.
    writer = None if role_of(name) == "ps" else world.replica(any_of("ps", chance))[0]
    known = max(world.part_cuts(), default=0)
    world.until(lambda: max(world.part_cuts(), default=0) > known, "a cut is written", 0.0003)
    if writer is not None:
        os.kill(writer, signal.SIGSTOP)
    try:
        when = strike(world, [name], [pid])
        cut = max(world.part_cuts())
        note = world.until(lambda: world.notes("rollback to save point", when), "a rollback")[0]
    finally:
        if writer is not None:
            os.kill(writer, signal.SIGCONT)
    number = int(note.text.split("save point ")[1].split(":")[0])
    if number != 0 and world.save_points().get(number, cut) >= cut:
        world.story.append(f"kill {name} after the manifest of cut {cut}")
        return False
    world.lost_cuts.append(cut)
    world.story.append(f"kill {name} between freeze and manifest of cut {cut}")
    return True


def kill_in_rollback(first: str, second: str):
    """kill -9 of a ps or trainer, then of another before the job runs again."""
    def act(world: World, chance: random.Random) -> None:
        for _ in range(TRIES):
            wait_before(world, chance)
            if try_in_rollback(world, any_of(first, chance), any_of(second, chance)):
                world.hits["during a rollback"] += 1
                return
        raise Wrong(f"no {second} could be killed during a rollback in {TRIES} tries")
    return act


def try_in_rollback(world: World, first: str, second: str) -> bool:
    if first == second:
        second = f"{role_of(first)}-{1 - int(first[-1])}"
    pids = [world.replica(name)[0] for name in (first, second)]
    when = strike(world, [first], pids[:1])
    begun = world.until(lambda: world.notes("rollback to save point", when), "a rollback", 0.0005)
    strike(world, [second], pids[1:])
    struck = time.time()  # not before the signal: what ran then had ended its rollback
    world.settle()
    early = [note for note in world.notes("the job runs from", begun[0].time)
             if note.time <= struck]
    world.story.append(f"kill {first}, then {second} {'after' if early else 'during'} the rollback")
    return not early


def stop_and_wake(role: str, node_sleeps_too: bool = False):
    """SIGSTOP; found by silence, replaced, woken. With node asleep nobody ends it but itself."""
    def act(world: World, chance: random.Random) -> None:
        wait_before(world, chance)
        name = any_of(role, chance)
        pid, container = world.replica(name)
        handle = os.pidfd_open(pid)
        try:
            when = time.time()
            signal.pidfd_send_signal(handle, signal.SIGSTOP)
            if node_sleeps_too:
                how = wake_while_node_sleeps(world, name, pid, handle)
            else:
                how = wake_when_replaced(world, name, pid, container, handle)
        finally:
            os.close(handle)
        world.last_blow = when if role in NEEDS_ROLLBACK else world.last_blow
        world.hits[f"stop {role}"] += 1
        world.hits["stop and continue"] += 1
        world.story.append(f"stop {name}: {how}")
    return act


def wait_for_loss(world: World, name: str) -> str:
    start = time.time()
    if name == "master-0":
        lost = lambda: world.node_notes("the master is silent", start)  # noqa: E731
    else:
        lost = lambda: world.notes(f"{name} is lost", start)  # noqa: E731
    seconds = world.until(lost, f"{name} is found silent")[0].time - start
    if seconds > SILENCE_SECONDS + SLACK_SECONDS:
        raise Wrong(f"{name} was found silent after {seconds:.1f} s")
    return f"found after {seconds:.1f} s"


def ended(pid: int) -> bool:
    return state_and_parent(pid)[0] in ("", "Z")


def wake_when_replaced(world: World, name: str, pid: int, container: str, handle: int) -> str:
    found = wait_for_loss(world, name)

    def is_replaced() -> bool:
        now = world.replicas().get(name)
        return now is not None and now[1] != container
    world.until(is_replaced, f"{name} is replaced", 0.02)
    try:
        signal.pidfd_send_signal(handle, signal.SIGCONT)
        how = "woken"
    except ProcessLookupError:
        how = "node had ended it"
    poll(lambda: ended(pid), f"the old {name} ends")
    return f"{found}, replaced, {how}"


def wake_while_node_sleeps(world: World, name: str, pid: int, handle: int) -> str:
    world.node.send_signal(signal.SIGSTOP)
    try:
        found = wait_for_loss(world, name)
        signal.pidfd_send_signal(handle, signal.SIGCONT)
        poll(lambda: ended(pid), f"{name} is refused and exits", STEP_SECONDS / 3)
    finally:
        world.node.send_signal(signal.SIGCONT)
    return f"{found}, woken, refused"


def kill_anything(world: World, chance: random.Random) -> None:
    """One to three replicas, of any roles, at once."""
    roles = chance.sample(["executor", "trainer", "ps", "master"], chance.randint(1, 3))
    kill(*roles)(world, chance)
