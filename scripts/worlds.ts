/**
 * `npm run worlds`: enters each hostile world of `test/worlds`, uses every front in it with all of its faults, and
 * runs the front tests that support it.
 *
 *     npm run worlds -- [--world=NAME] [--jobs=N] [--list] [FILE|FOLDER|GLOB …]
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { TestLike } from '../test/helpers/services.ts'
import { WORLDS } from '../test/worlds/worlds.ts'
import { chooseFiles } from './tests/choose-files.ts'
import { isBad, runAll, summarize } from './tests/run-all.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const OWN = 'test/worlds/worlds.test.ts'
const TIMEOUT_MS = 1_800_000
const write = (text: string): void => void process.stdout.write(text)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    world: { type: 'string', multiple: true },
    jobs: { type: 'string', default: String(availableParallelism()) },
    list: { type: 'boolean', default: false },
  },
})
const unknown = (values.world ?? []).filter((name) => !WORLDS.some((world) => world.name === name))
if (unknown.length > 0) {
  throw new Error(`There is no world ${unknown.join(', ')}. Worlds: ${WORLDS.map(({ name }) => name).join(', ')}.`)
}
const worlds = WORLDS.filter(({ name }) => values.world === undefined || values.world.includes(name))

for (const world of worlds) {
  write(`\n${world.name}: ${world.about}\n`)
  for (const [file, why] of Object.entries(world.except)) write(`  not ${file}: ${why}\n`)
  const possible = chooseFiles(root, world.tests.length === 0 ? [OWN] : world.tests)
  const wanted = positionals.length === 0 ? possible : chooseFiles(root, positionals)
  const files = possible.filter((file) => wanted.includes(file) && world.except[file] === undefined)
  for (const file of values.list ? files : []) write(`  ${file}\n`)
  if (values.list) continue
  const closing: (() => unknown)[] = []
  try {
    const entered = await world.enter(traveller(closing))
    if (entered === null) continue
    const began = performance.now()
    const env = { ...entered.env, SVC_TEST_WORLDS: 'all', SVC_TEST_WORLD: world.name }
    const results = await runAll([...new Set([OWN, ...files])], {
      jobs: Number(values.jobs),
      timeoutMs: TIMEOUT_MS,
      env,
      write,
    })
    write(summarize(results, (performance.now() - began) / 1000))
    if (results.some(({ word }) => isBad(word))) process.exitCode = 1
    await entered.leave()
  } finally {
    for (const close of closing.reverse()) await close()
  }
}

/** Test API of a world in a run of many: `teardown`, and a reason if the world is not available. */
function traveller(closing: (() => unknown)[]): TestLike {
  return {
    teardown: (close: () => unknown) => void closing.push(close),
    pass: (name: string, { skip }: { skip: string }) => write(`  skipped, ${name}: ${skip}\n`),
    fail(reason: string) {
      write(`  ${reason}\n`)
      process.exitCode = 1
    },
  } as never
}
