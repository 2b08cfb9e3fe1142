import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT, read } from './source-files.ts'

/** What SECURITY.md says is held by a test is: the files are there, and so are the tests that it names. */
t.test('the threat model names what exists', async (t) => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Threat|Attack) /.test(line))
  t.ok(rows.length > 25)
  let tests = 0
  for (const row of rows) {
    const paths = [...row.matchAll(/`((?:test|core|plugins|docs)\/[\w./-]+)`/g)].map(([, path]) => path as string)
    for (const path of paths) t.ok(existsSync(join(ROOT, path)), `${path} exists`)
    for (const [, path, named] of row.matchAll(/`(test\/[\w./-]+)` \(("[^)]+")\)/g)) {
      for (const [, title] of (named as string).matchAll(/"([^"]+)"/g)) {
        tests++
        const wanted = (title as string).replace(/ …$/, '')
        t.ok(textsOf(path as string).includes(wanted), `${path}: "${wanted}"`)
      }
    }
  }
  t.ok(tests > 10, `${tests} tests are named`)
})

/** Attacks of the threat model (SECURITY.md). Each has a row in the attack suite, which names a test. */
const ATTACKS = [
  'token forgery',
  'scope and role bypass by alias',
  'bypass by `node`',
  'guessing by filter, sort, group',
  'bypass by REST',
  'any rule by any way in',
  'cross-tenant read under load',
  'timing of key comparison',
  'header injection',
  'log injection',
  'ReDoS',
  'prototype pollution',
  'proxy-header spoofing',
  'brute force',
  'CSRF',
]

t.test('each attack of the suite has a test', async (t) => {
  const [, suite = ''] = read('SECURITY.md').split('## The attack suite')
  const rows = suite.split('\n').filter((line) => /^\| (?!Attack)/.test(line))
  for (const row of rows) t.match(row, /`test\/[\w./-]+\.test\.ts`/, row.slice(0, 60))
  for (const attack of ATTACKS)
    t.ok(
      rows.some((row) => row.startsWith(`| ${attack}`)),
      attack,
    )
})

function textsOf(path: string): string {
  const file = join(ROOT, path)
  if (!statSync(file).isDirectory()) return readFileSync(file, 'utf8').replaceAll("\\'", "'")
  return readdirSync(file)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => textsOf(join(path, name)))
    .join('\n')
}
