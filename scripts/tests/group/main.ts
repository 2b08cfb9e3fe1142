/**
 * Several test files in one process, one after the other: what they import is loaded, and made fast, once for all of them.
 * `SVC_TEST_GROUP` lists them, since tap names folders after arguments. The loader gives each a `tap` of its own (tap.js).
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { FILES } from './files.js'
import { idle } from './idle.ts'
import { noteGlobals } from './note-globals.ts'

/** What the run hears of a file. */
type GroupMessage =
  | { readonly began: string }
  /** What it left behind for those after it, which is a fault. */
  | { readonly ended: string; readonly left: readonly string[]; readonly open: readonly string[] }
  /** `t.setTimeout` of the file. */
  | { readonly bound: number }

for (const file of JSON.parse(process.env.SVC_TEST_GROUP!) as string[]) {
  t.test(file, { timeout: 0 }, async (sub) => {
    tell({ began: file })
    const before = noteGlobals()
    sub.after(() => tell({ ended: file, left: before.changes(), open: process.getActiveResourcesInfo() }))
    sub.setTimeout = (ms) => tell({ bound: ms })
    const url = pathToFileURL(resolve(file)).href
    ;(FILES as Map<string, Test>).set(url, sub)
    await import(url)
    await idle(sub)
  })
}

function tell(message: GroupMessage): void {
  process.send!({ key: process.env.TAP_CHILD_KEY, ...message })
}
