import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { chooseSample } from '../../scripts/mutation/choose-sample.ts'
import { EXPLAINED, explain } from '../../scripts/mutation/explained.ts'
import { instrument } from '../../scripts/mutation/instrument.ts'
import { type RoomResult, readResults, resultAgain, resultOf, scoreOf } from '../../scripts/mutation/results.ts'
import { ROOMS } from '../../scripts/mutation/rooms.ts'
import { chooseFiles } from '../../scripts/tests/choose-files.ts'
import { ROOT } from '../repo/source-files.ts'

const require = createRequire(import.meta.url)
require.resolve('@stryker-mutator/instrumenter')

t.test('every room has sources, and every pattern of its tests names some', async (t) => {
  for (const { folder } of ROOMS) t.ok(realpathSync(join(ROOT, folder)), folder)
  const patterns = [...new Set(ROOMS.flatMap(({ tests }) => tests))]
  t.ok(chooseFiles(ROOT, patterns).length > 100)
})

t.test('a sample is the same for the same seed and code, wherever the code stands', async (t) => {
  const all = Array.from({ length: 50 }, (_, i) => ({ key: `mutant ${i}`, line: i }))
  const keys = (seed: number, of = all) => chooseSample(of, 10, seed).map(({ key }) => key)
  t.strictSame(keys(1), keys(1, all.toReversed()))
  t.notSame(keys(1), keys(2))
  const [first, ...rest] = keys(1)
  t.strictSame(
    keys(
      1,
      all.filter(({ key }) => key !== first),
    ).slice(0, 9),
    rest,
    'one that is gone changes no other',
  )
  t.equal(chooseSample(all, 1000, 1).length, 50)
})

t.test('mutants of a file: each once behind its switch, sentences for people left out', async (t) => {
  const root = realpathSync(t.testdir({}))
  mkdirSync(join(root, 'core'))
  const source = [
    'export function check(age: number): string {',
    "  if (age < 18) throw new SvcError('FORBIDDEN', `Nobody below ${18} may see this.`)",
    "  log.warn('somebody is old enough')",
    "  return describe({ description: 'How old somebody is.', default: 'none', examples: ['a'] })",
    '}',
    'const twice = (a: number) => a < 18',
  ]
  writeFileSync(join(root, 'core/check.ts'), `${source.join('\n')}\n`)
  const mutants = await instrument(root, ['core/check.ts'])
  const told = mutants.map(({ line, original, replacement }) => `${line}: ${original} → ${replacement}`)
  for (const one of ['2: age < 18 → true', '2: age < 18 → age <= 18', '2: \'FORBIDDEN\' → ""', '4: \'none\' → ""']) {
    t.equal(told.filter((other) => other === one).length, 1, one)
  }
  t.notMatch(told.filter((one) => /^[^→]*→ (?:""|``|\[\])$/.test(one)).join('\n'), /somebody is old|How old|Nobody|'a'/)
  t.equal(new Set(mutants.map(({ key }) => key)).size, mutants.length)
  const written = readFileSync(join(root, 'core/check.ts'), 'utf8')
  for (const { id } of mutants) t.ok(written.includes(`stryMutAct_9fa48("${id}")`), id)
})

t.test('a score counts what was killed and what hung', async (t) => {
  const mutant = {
    id: '1',
    file: 'core/check.ts',
    line: 2,
    mutator: 'ConditionalExpression',
    original: 'age < 18',
    replacement: 'true',
    key: 'core/check.ts\0ConditionalExpression\0age < 18\0true\x002',
  }
  const words = ['killed', 'killed', 'timed out', 'survived', 'uncovered'] as const
  const result = resultOf(
    90,
    7,
    words.map((word) => ({ mutant, word })),
  )
  const survivor = {
    file: mutant.file,
    mutator: mutant.mutator,
    original: mutant.original,
    replacement: 'true',
    count: 2,
  }
  t.strictSame(result, {
    mutants: 90,
    seed: 7,
    sampled: 5,
    killed: 2,
    timedOut: 1,
    survived: [survivor, { ...survivor, uncovered: true }],
  } satisfies RoomResult)
  t.equal(scoreOf(result), 60)
  const again = resultOf(90, 7, [
    { mutant, word: 'killed' },
    { mutant, word: 'survived' },
  ])
  t.equal(scoreOf(resultAgain(result, again)), 80)
  t.equal(scoreOf(resultAgain(result, resultOf(90, 7, [{ mutant, word: 'killed' }]))), 100, 'one is no longer there')
})

t.test('recorded and explained faults still have their location', async (t) => {
  const survived = Object.values(readResults()).flatMap((result) => result.survived)
  for (const { file, original, replacement } of EXPLAINED) {
    t.ok(readFileSync(join(ROOT, file), 'utf8').includes(original), `${file}: ${original}`)
    t.ok(
      survived.some((one) => explain({ file, original, replacement }) === explain(one)),
      `${file}: ${original} is a survivor`,
    )
  }
  for (const [room, result] of Object.entries(readResults())) {
    t.equal(result.killed + result.timedOut + result.survived.length, result.sampled, room)
  }
})
