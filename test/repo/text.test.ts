import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT, read } from './source-files.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((f) => f !== '' && existsSync(join(ROOT, f)))
const source = tracked.filter((f) => /^(core|plugins|presets)\/.*\.ts$/.test(f))

t.test('nothing of this machine is committed', async (t) => {
  // Written apart, so that this file does not find itself.
  const forbidden = [
    ['/wo', 'rk/'],
    ['/ro', 'ot/'],
    ['/ho', 'me/'],
    ['BEGIN ', 'PRIVATE KEY'],
    ['BEGIN RSA ', 'PRIVATE KEY'],
  ].map((p) => p.join(''))
  for (const file of tracked.filter((f) => !/\.(png|ico|svg|tgz)$/.test(f))) {
    const text = read(file)
    for (const word of forbidden) t.notOk(text.includes(word), `${file} contains ${word}`)
  }
  t.notMatch(read('package-lock.json'), /"resolved": "http/, 'the lock file names no registry host')
})

t.test('no leftovers in the source', async (t) => {
  for (const file of source) {
    const text = read(file)
    t.notMatch(text, /\b(TODO|FIXME|XXX)\b/, `${file} has no TODO`)
    t.notMatch(text, /@ts-(ignore|nocheck)/, `${file} does not silence the compiler`)
    t.notMatch(text, /\bas any\b/, `${file} has no "as any"`)
    t.notMatch(text, /console\.(log|error|warn)/, `${file} does not log by hand`)
  }
})

t.test('no test that cannot fail', async (t) => {
  for (const file of tracked.filter((f) => /^test\/.*\.test\.ts$/.test(f))) {
    const text = read(file)
    // `notMatch` passes on what is not there. With `!` it throws.
    t.notMatch(text, /notMatch\(\s*[^,]*\?\./, `${file} looks for nothing in something`)
    t.notMatch(text, new RegExp(`\\bgc${'\\?'}\\.\\(`), `${file} collects garbage for certain, or does not`)
    t.notMatch(
      text,
      new RegExp(`${'skip'}: '`),
      `${file} skips with the helper, which fails where nothing may be missing`,
    )
  }
})

t.test('only the dialects, the drivers and the catalog readers build SQL from strings', async (t) => {
  const allowed = [
    /^core\/dialects\//,
    /^plugins\/(postgres|pglite|sqlite|mysql)\//,
    /^core\/cli\/init/,
    // Scripts as files of a project.
    /^core\/introspect\/crud\//,
    // Samples that are explained or counted, over quoted names of the catalog. They are never part of a request.
    /^core\/advise\//,
    // The one call of the author's function, by core's builders.
    /^plugins\/oauth\/user-function\.ts$/,
  ]
  for (const file of source.filter((f) => !allowed.some((a) => a.test(f)))) {
    t.notMatch(
      read(file),
      /`[^`]*\b(SELECT\s|INSERT INTO|UPDATE\s+\S+\s+SET|DELETE FROM)[^`]*\$\{/,
      `${file} builds SQL from strings`,
    )
  }
})
