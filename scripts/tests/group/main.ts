/**
 * Runs several test files in one process, one after the other, so that their imports are loaded and compiled once.
 * `SVC_TEST_GROUP` lists them, because tap names folders after arguments. The loader gives each its own `tap`
 * (tap.js).
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { FILES } from './files.js'
import { idle } from './idle.ts'
import { noteGlobals } from './note-globals.ts'

/** Messages about a file to the runner. */
type GroupMessage =
  | { readonly began: string }
  /** State that it left changed for the files after it, which is an error. */
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
