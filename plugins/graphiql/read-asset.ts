import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { SvcError } from '../../core/index.ts'
import { ASSETS } from './assets.ts'

const cache = new Map<string, Promise<Buffer>>()

function locate(name: string): string {
  const { file, from } = ASSETS[name]!
  const built = fileURLToPath(new URL(`./assets/${file}`, import.meta.url))
  if (existsSync(built)) return built
  try {
    return createRequire(import.meta.url).resolve(from)
  } catch (cause) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `The query editor's file ${file} is missing: run \`npm run build\`, or install ${from.split('/')[0]}.`,
      { cause },
    )
  }
}

/** The bytes of one of the {@link ASSETS}, read once, when first asked for. */
export function readAsset(name: string): Promise<Buffer> {
  let bytes = cache.get(name)
  if (bytes === undefined) {
    bytes = readFile(locate(name))
    bytes.catch(() => cache.delete(name))
    cache.set(name, bytes)
  }
  return bytes
}
