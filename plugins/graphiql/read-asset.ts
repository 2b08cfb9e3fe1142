import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SvcError } from '../../core/index.ts'
import { type Asset, locateInPackage } from './assets.ts'

const cache = new Map<string, Promise<Buffer>>()

function locate(name: string, asset: Asset): string {
  const built = fileURLToPath(new URL(`./assets/${name}`, import.meta.url))
  if (existsSync(built)) return built
  try {
    return locateInPackage(asset)
  } catch (cause) {
    const wayOut = `run \`npm run build\`, or install ${asset.package}`
    throw new SvcError('INTERNAL_SERVER_ERROR', `The query editor's file ${name} is missing: ${wayOut}.`, { cause })
  }
}

/** The bytes of one of the {@link ASSETS}, read once, when first asked for. */
export function readAsset(name: string, asset: Asset): Promise<Buffer> {
  let bytes = cache.get(name)
  if (bytes === undefined) {
    bytes = readFile(locate(name, asset))
    bytes.catch(() => cache.delete(name))
    cache.set(name, bytes)
  }
  return bytes
}
