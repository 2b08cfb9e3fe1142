import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as authoring from '../../core/authoring/index.ts'
import { listFiles, ROOT, read } from '../repo/source-files.ts'

/**
 * Samples of TypeScript in the docs are held to the types of the authoring API, by the settings of a project that `svc
 * init` lays out. They are pieces: what they do not declare is left alone.
 */
t.setTimeout(120_000)

const folder = join(ROOT, 'node_modules/.cache/svc-samples', String(process.pid))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A name that the piece does not declare; the same element in two styles, one below the other. */
const OF_PIECES = /error TS(?:2304|2552|2300|2451|18004):/

interface Sample {
  readonly place: string
  readonly code: string
}

const samplesOf = (path: string): readonly Sample[] => samplesIn(read(path), path)

function samplesIn(text: string, path: string): readonly Sample[] {
  // A sample in a list is indented as far as its item.
  return [...text.matchAll(/^( *)```ts\n([\s\S]*?)^\1```$/gm)].map(({ 1: indent = '', 2: code = '', index }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length + 1}`,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** Properties that may be left out, which the settings of this repository read otherwise than those of others. */
const OPTIONAL: Sample = {
  place: 'optional properties',
  code: `@type() export class Held {
  @field(nullable(String)) note?: string
  @field(nullable(list(Int))) sizes?: number[] | null
  // @ts-expect-error it is there always
  @field(String) name?: string
  // @ts-expect-error an Int is no text
  @field(nullable(Int)) size?: string
}`,
}

/** The piece as a module: members in a class, decorators above one, and what it uses of the API imported. */
function toModule({ code }: Sample): string {
  const whole = code.replaceAll('{ … }', '{}').trim()
  const hasClass = /\bclass\b/.test(whole)
  const isMember = /^@/.test(whole) && /^\s*(?:@.*\) )?\w+!?\??: .*$/m.test(whole)
  const body =
    hasClass || !/^@/.test(whole) ? whole : isMember ? `class Sample {\n${whole}\n}` : `${whole}\nclass Sample {}`
  const known = new Set(
    [...body.matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    ),
  )
  for (const [, name = ''] of body.matchAll(/\b(?:class|const|function|let)\s+(\w+)/g)) known.add(name)
  const used = Object.keys(authoring).filter((name) => !known.has(name) && new RegExp(`\\b${name}\\b`).test(body))
  return `import { ${used.join(', ')} } from 'svc/authoring'\n${body}\nexport {}\n`
}

t.test('a sample in a list is one, without its indentation', async (t) => {
  const page = 'text\n\n- an item\n\n  ```ts\n  export class A {\n    a = 1\n  }\n  ```\n\n```ts\nconst b = 1\n```\n'
  t.strictSame(samplesIn(page, 'page.md'), [
    { place: 'page.md:6', code: 'export class A {\n  a = 1\n}\n' },
    { place: 'page.md:12', code: 'const b = 1\n' },
  ])
})

t.test('the samples of the docs fit the types of the API', async (t) => {
  // `npm run first-hour` compiles and runs the samples of its page.
  const pages = listFiles('docs', '.md').filter((path) => !/decisions|write-a-plugin|first-hour/.test(path))
  const samples = [...pages.flatMap(samplesOf), OPTIONAL]
  t.ok(samples.length > 20, `${samples.length} samples`)
  mkdirSync(folder, { recursive: true })
  for (const [index, sample] of samples.entries()) writeFileSync(join(folder, `sample-${index}.ts`), toModule(sample))
  const laxer = {
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
  const compilerOptions = { ...laxer, verbatimModuleSyntax: false, erasableSyntaxOnly: false }
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  let output = ''
  try {
    // The test runner gives every process its hooks, which the compiler does not survive.
    execFileSync('env', ['-u', 'NODE_OPTIONS', process.execPath, tsc, '-p', folder], { encoding: 'utf8' })
  } catch (error) {
    output = (error as { stdout?: string }).stdout ?? ''
    if (output === '') throw error
  }
  const faults = output.split('\n').flatMap((line) => {
    const index = /sample-(\d+)\.ts/.exec(line)?.[1]
    return index === undefined || OF_PIECES.test(line) ? [] : [`${samples[Number(index)]?.place}: ${line}`]
  })
  t.strictSame(faults, [])
})
