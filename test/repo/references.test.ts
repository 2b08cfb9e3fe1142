import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT, read } from './source-files.ts'

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/\.(png|ico|svg|tgz)$|package-lock\.json$/.test(file))
  .filter((file) => existsSync(join(ROOT, file)))

/**
 * Citations of documents that are not part of the repository. A dot stands for one character of each name, so that this file
 * does not match itself.
 */
const OUTSIDE = [
  /[Bb]ehavio.rs? \d/,
  /\b[Ss]pe. (["`]|\d+\.\d)/,
  /\b[Tt]he spe[c](?![\w.-])/,
  /\b([Dd]ecisions|[Aa]rchitecture|[Pp]erformance)(\.md)?[:]? "/,
  /\b[Ss]pin[e]\b/,
  /\b(behaviours|decisions|house|libraries|models|spec)[.]md\b/,
  /(?<!\])[(\s](architecture|performance)\.md\b/,
  /\b[Pp]romis[e] \d\b/,
  /\b[Ii]ssu[e] [A-Z]\b/,
]

/** Finds citations of {@link OUTSIDE}. @returns one text per line: `12: the line` */
function outsideReferences(text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const isCited = OUTSIDE.some((pattern) => pattern.test(line))
    return isCited ? [`${index + 1}: ${line.trim().slice(0, 120)}`] : []
  })
}

/** The name that GitHub gives a heading in links. */
function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

const anchors = new Map<string, ReadonlySet<string>>()

function anchorsOf(file: string): ReadonlySet<string> {
  let found = anchors.get(file)
  if (found === undefined) {
    found = new Set([...read(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slugOf(heading!)))
    anchors.set(file, found)
  }
  return found
}

/** @param target path from the root, perhaps with an anchor @returns what is wrong with it; `null`: it exists */
function faultOf(target: string): string | null {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(join(ROOT, path))) return `${path} does not exist`
  if (anchor === undefined || !path.endsWith('.md')) return null
  return anchorsOf(path).has(anchor) ? null : `${path} has no heading #${anchor}`
}

/** Pages of the project that comments name, by their path from the root. */
function pagesInComments(text: string): readonly string[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment).join('\n')
  return [...comments.matchAll(/(?<![\w./-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([page]) => page)
}

/** Without the `~`, each of them is a citation. */
const SAMPLES = [
  '(behaviours~ 5.1)',
  'Spec~ "Query".',
  'as the~ spec has it',
  '(spin~e 2)',
  'see house~.md',
  '(decisions~ "IDs")',
  '(promise~ 1)',
  '(architecture~.md "Relations")',
  '(performance~.md: a parameter)',
  'issue~ A',
]
const ALLOWED = [
  'RFC 9110, section 13',
  '[why](architecture.md#rooms)',
  'docs/explain/architecture.md#rooms',
  'https://url.spec.whatwg.org/',
  'the specification',
]

t.test('no text cites a document outside of the repository', async (t) => {
  for (const sample of SAMPLES) {
    const cited = sample.replace('~', '')
    t.strictSame(outsideReferences(`\n${cited}`), [`2: ${cited}`], 'a citation is found')
  }
  for (const text of ALLOWED) t.strictSame(outsideReferences(text), [], `${text} is no citation`)
  for (const file of tracked) t.strictSame(outsideReferences(read(file)), [], file)
})

t.test('pages that comments name exist, with their headings', async (t) => {
  const sample = '/~** See docs/nowhere.md#x. */\nconst a = "docs/b.md"\n// docs/c.md'
  t.strictSame(pagesInComments(sample.replace('~', '')), ['docs/nowhere.md#x', 'docs/c.md'])
  t.equal(faultOf('docs/nowhere.md'), 'docs/nowhere.md does not exist')
  t.equal(faultOf('docs/README.md#nowhere'), 'docs/README.md has no heading #nowhere')
  let pages = 0
  for (const file of tracked.filter((one) => one.endsWith('.ts'))) {
    for (const page of pagesInComments(read(file))) {
      pages++
      t.equal(faultOf(page), null, `${file} names ${page}`)
    }
  }
  t.ok(pages > 100, `${pages} pages are named`)
})
