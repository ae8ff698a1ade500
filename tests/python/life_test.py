"""Memory and threads: opened objects are freed, but never while in use."""
import gc, sys, threading, time, unittest, unittest.mock
from concurrent.futures import ThreadPoolExecutor

import diorama
from support import SAMPLES, bytes_of, memory


def growth(work, times):
    """The memory growth of the process, in bytes, over the second half of the runs."""
    for _ in range(times // 2): work()
    gc.collect()
    before = memory()
    for _ in range(times // 2): work()
    gc.collect()
    return memory() - before


class Memory(unittest.TestCase):
    def test_files_do_not_leak(self):
        whole = bytes_of("kmp/race.kmp")

        def closed():
            with diorama.open(whole, "race.kmp") as file: file.check()

        def left_alone(): diorama.open(whole, "race.kmp").info()
        self.assertLess(growth(closed, 10000), 4 << 20)
        self.assertLess(growth(left_alone, 10000), 4 << 20)
        kept = []
        before = memory()
        for _ in range(2000): kept.append(diorama.open(whole, "race.kmp"))
        self.assertGreater(memory() - before, 4 << 20, "the test cannot detect a leak of this size")

    def test_errors_do_not_leak(self):
        def refused():
            with self.assertRaises(diorama.DioramaError): diorama.encode("{")
            diorama.open(b"x" * 4000, "x.kmp").check()
        self.assertLess(growth(refused, 5000), 4 << 20)

    def test_scenes_and_arrays_do_not_leak(self):
        file = diorama.open(SAMPLES / "nsbmd/windmill.nsbmd")

        def seen():
            with file.scene() as scene: data = scene.data()
            return [p.positions[0, 0] for _, p in data.primitives()]
        self.assertLess(growth(seen, 2000), 4 << 20)

    def test_games_and_partial_files_do_not_leak(self):
        def played():
            with diorama.open_game(SAMPLES / "games/small_game.nds") as game, game.world("header/1"): game.edit("move", "land/3", "before=0")
        open_before = len(list(__import__("os").listdir("/proc/self/fd")))
        self.assertLess(growth(played, 200), 4 << 20)
        gc.collect()
        self.assertEqual(len(list(__import__("os").listdir("/proc/self/fd"))), open_before)

    def test_edits_and_several_files_do_not_leak(self):
        file = diorama.open(SAMPLES / "nsbtx/swatches.nsbtx")
        course = diorama.open(SAMPLES / "kmp/race.kmp")

        def worked():
            file.textures()
            with course.edit() as editing: editing.run("remove", "GOBJ[0]")
        self.assertLess(growth(worked, 600), 4 << 20)

    def test_array_views_keep_their_memory_alive(self):
        with diorama.open(SAMPLES / "kcl/hills.kcl") as file, file.scene() as scene: part = next(scene.data().primitives())[1].positions[4:]
        before = part.tolist()
        del scene, file
        gc.collect()
        for _ in range(50): diorama.open(SAMPLES / "kcl/hills.kcl").scene().data()
        self.assertEqual(part.tolist(), before)


class Threads(unittest.TestCase):
    def run_all(self, work, count=400):
        with ThreadPoolExecutor(8) as pool: return list(pool.map(work, range(count)))

    def test_threads_can_share_one_file(self):
        with diorama.open(SAMPLES / "kmp/race.kmp") as file:
            wanted = (file.decode_json(), file.get("STGI[0].laps"), len(file.hex()["spans"]))
            found = self.run_all(lambda _: (file.decode_json(), file.get("STGI[0].laps"), len(file.hex()["spans"])), 60)
            self.assertEqual(found, [wanted] * 60)

    def test_threads_can_share_games_and_edits(self):
        with diorama.open_game(SAMPLES / "games/small_game.nds") as game, game.world("header/1") as scene:
            wanted = len(game.parts()), len(scene.convert())
            self.assertEqual(set(self.run_all(lambda _: (len(game.parts()), len(scene.convert())))), {wanted})
        with diorama.open(SAMPLES / "kmp/race.kmp") as file, file.edit() as editing:
            self.run_all(lambda n: editing.run("duplicate", "GOBJ[0]"), 40)
            self.assertEqual(len(diorama.open(editing.save(), "x.kmp").get("GOBJ")["entries"]), 7 + 40)

    def test_only_one_thread_calls_a_reader(self):
        """A file read in parts, its game and its scenes share a reader; only one of them calls it at a time."""
        path, inside, most = SAMPLES / "games/small_tactics.bin", [], []
        whole = path.read_bytes()

        def read(offset, size):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.0005)
            inside.pop()
            return whole[offset : offset + size]

        with diorama.open_parts(read, len(whole), "small_tactics.bin") as file, file.game() as game, game.world("map/1") as scene:
            asked = [lambda: file.member("MAP/MAP001.9"), lambda: game.file("MAP/MAP001.GNS"),
                     lambda: scene.shows("small_tactics.bin/MAP/MAP001.9"), lambda: game.world("map/1").close()]
            self.run_all(lambda n: asked[n % 4](), 80)
        self.assertGreater(len(most), 40)  # otherwise no reads could overlap
        self.assertEqual(set(most), {1})

    def test_comparing_two_games_does_not_deadlock(self):
        handle, done = diorama.Game._handle, []

        def slow(game):
            time.sleep(0.005)  # a delay between the locks, if they are taken separately
            return handle.fget(game)

        with (diorama.open_game(SAMPLES / "games/small_game.nds") as a, diorama.open_game(SAMPLES / "games/small_game.nds") as b,
              unittest.mock.patch.object(diorama.Game, "_handle", property(slow))):
            workers = [threading.Thread(target=lambda x=x, y=y: done.extend(len(x.diff(y)) for _ in range(20)), daemon=True)
                       for x, y in ((a, b), (b, a), (a, a))]
            for worker in workers: worker.start()
            for worker in workers: worker.join(20)
            self.assertEqual(done, [0] * 60)

    def test_files_can_close_during_calls(self):
        whole = bytes_of("fft-mesh/valley.fft-mesh")
        for _ in range(30):
            file = diorama.open(whole, "valley.fft-mesh")
            ready, answers = threading.Barrier(5), []

            def asks():
                ready.wait()
                try: answers.append(len(file.decode_json()) > 1000)
                except ValueError: answers.append(True)  # it was already closed

            workers = [threading.Thread(target=asks) for _ in range(4)]
            for worker in workers: worker.start()
            ready.wait()
            file.close()
            for worker in workers: worker.join()
            self.assertEqual(answers, [True] * 4)

    def test_other_threads_run_during_calls(self):
        """The library releases the interpreter lock while it works."""
        course, ticks, done = diorama.open(SAMPLES / "together/race.kmp"), [], threading.Event()

        def counts():
            while not done.wait(0.001): ticks.append(1)

        counter = threading.Thread(target=counts)
        counter.start()
        before = len(ticks)
        course.render(size="1600x1200")
        after = len(ticks)
        done.set()
        counter.join()
        self.assertGreater(after - before, 5)
