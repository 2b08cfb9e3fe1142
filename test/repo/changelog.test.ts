import t from 'tap'
import { read } from './source-files.ts'

const READERS = ['For users', 'For plugin authors', 'For operators', 'Known limits']

/** What is wrong with the headings of a changelog. */
function faultsOf(changelog: string, version: string): readonly string[] {
  const headings = [...changelog.matchAll(/^##+ .+$/gm)].map(([heading]) => heading)
  const versions = headings.filter((heading) => heading.startsWith('## '))
  const faults: string[] = []
  if (versions[0] !== '## [Unreleased]') faults.push('the first version is not [Unreleased]')
  for (const heading of versions.slice(1))
    if (!/^## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(heading)) faults.push(`"${heading}" has no version and date`)
  if (!versions[1]?.startsWith(`## [${version}] `)) faults.push(`the newest release is not ${version}`)
  for (const heading of headings.filter((each) => each.startsWith('### ')))
    if (!READERS.includes(heading.slice(4))) faults.push(`"${heading}" is no reader`)
  return faults
}

t.test('the changelog has the version of the package, and a section per reader', async (t) => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  t.strictSame(faultsOf(read('CHANGELOG.md'), version), [])
})

t.test('other headings are refused', async (t) => {
  t.strictSame(faultsOf('## [0.1.0] - 2026-11-26\n\n## 0.0.9\n\n### Added\n', '0.1.0'), [
    'the first version is not [Unreleased]',
    '"## 0.0.9" has no version and date',
    'the newest release is not 0.1.0',
    '"### Added" is no reader',
  ])
})
