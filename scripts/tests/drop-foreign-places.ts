import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Report {
  readonly result: readonly { readonly url: string }[]
}

/**
 * Programs that tests start translate the sources in their own way: their places in a file are not those of the tests, and
 * both together would say nothing. Of such a program the files are left that no test has loaded itself.
 * @param folder of the reports that V8 wrote, one for each process; they are changed
 */
export function dropForeignPlaces(folder: string): void {
  const known = new Set<string>()
  const foreign: string[] = []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    if (!text.includes('/scripts/tests/loader/')) foreign.push(path)
    else for (const [, url] of text.matchAll(/"url":"(file:[^"]+)"/g)) known.add(url!)
  }
  for (const path of foreign) {
    const report = JSON.parse(readFileSync(path, 'utf8')) as Report
    const left = report.result.filter(({ url }) => isSource(url) && !known.has(url))
    if (left.length === 0) rmSync(path)
    else writeFileSync(path, JSON.stringify({ ...report, result: left }))
  }
}

/** Of packages and of the build nothing is counted. */
function isSource(url: string): boolean {
  return /^file:.*\/(?:core|plugins|presets)\//.test(url) && !/\/(?:node_modules|dist)\//.test(url)
}
