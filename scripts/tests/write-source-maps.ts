import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { translateSync } from './loader/translate.js'

/** One line at the end of the translated code. */
const MAP = /\/\/# sourceMappingURL=data:application\/json;base64,(\S+)/

interface Counts {
  readonly result: readonly { readonly url: string }[]
}

/**
 * Writes the source maps that c8 needs beside the counts. Node would write them into the counts of every process.
 * @param folder of the counts, one file for each process
 */
export function writeSourceMaps(folder: string): void {
  const maps: Record<string, { data: unknown; lineLengths: readonly number[]; url: null }> = {}
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Counts
    for (const { url } of result) maps[url] ??= mapOf(translateSync(fileURLToPath(url)))
  }
  writeFileSync(join(folder, 'source-maps.json'), JSON.stringify({ result: [], 'source-map-cache': maps }))
}

function mapOf(code: string): { data: unknown; lineLengths: readonly number[]; url: null } {
  const data = JSON.parse(Buffer.from(MAP.exec(code)![1]!, 'base64').toString())
  return { data, lineLengths: code.split('\n').map(({ length }) => length), url: null }
}
