import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT, read } from './source-files.ts'

/** What SECURITY.md says is held by a test is: the files are there, and so are the tests that it names. */
t.test('the threat model names what exists', async (t) => {
  const rows = read('SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Threat'))
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

function textsOf(path: string): string {
  const file = join(ROOT, path)
  if (!statSync(file).isDirectory()) return readFileSync(file, 'utf8').replaceAll("\\'", "'")
  return readdirSync(file)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => textsOf(join(path, name)))
    .join('\n')
}
