import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { ROOT, read } from './source-files.ts'

/** Targets of the links of a Markdown text that lead to files, with the anchor. Code is left out. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!).filter((target) => !/^\w+:/.test(target))
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  return [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The links of a page that lead nowhere. */
function brokenLinks(page: string, text: string): readonly string[] {
  return linksOf(text).filter((link) => {
    const [path, anchor] = link.split('#') as [string, string?]
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(ROOT, target))) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor)
  })
}

t.test('every link between the pages of the project leads somewhere', async (t) => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  t.ok(pages.length > 150, 'the pages are found')
  for (const page of pages.filter((file) => existsSync(join(ROOT, file))))
    t.strictSame(brokenLinks(page, read(page)), [], page)
})

t.test('a link to a missing page or heading is found', async (t) => {
  t.strictSame(brokenLinks('docs/README.md', 'See [one](none.md), [two](../README.md#none), [three](../README.md).'), [
    'none.md',
    '../README.md#none',
  ])
})
