import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapePercents } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { TrustedDocumentsOptions } from './options.ts'

/** Largest manifest, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** Where the manifest is, and how its text is read. */
export interface Source {
  /** For messages: no secrets that an URL may carry. */
  readonly name: string
  /** @throws Error that says why not */
  read(): Promise<string>
}

/** @throws SvcError SVC_CONFIG_INVALID */
export function sourceOf({ manifest_path: path, manifest_url: url }: TrustedDocumentsOptions, baseDir: string): Source {
  if ((path === undefined) === (url === undefined)) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      '[security.trusted_documents] needs one of manifest_path and manifest_url: the documents that are trusted.',
    )
  }
  return path === undefined ? urlSource(url as string) : fileSource(resolve(baseDir, path), path)
}

/** @param name as it is shown */
export function fileSource(path: string, name = path): Source {
  return {
    name,
    async read() {
      // Opening a pipe waits until somebody writes to it.
      const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      try {
        const found = await file.stat()
        // A pipe or a device would be read for ever.
        if (!found.isFile()) throw new Error('it is no file')
        if (found.size > MAX_BYTES) throw tooLarge()
        return await file.readFile('utf8')
      } finally {
        await file.close()
      }
    },
  }
}

function urlSource(given: string): Source {
  const url = URL.canParse(given) ? new URL(escapePercents(given)) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      '[security.trusted_documents] manifest_url begins with https:// or http://.',
    )
  }
  const headers = credentialsOf(url)
  return {
    name: `${url.origin}${url.pathname}`,
    async read() {
      // Where it was moved to is for the operator to write down: the list decides what may run.
      const reply = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (reply.status !== 200) {
        await reply.body?.cancel()
        throw new Error(`it answers with status ${reply.status}`)
      }
      return readBody(reply)
    },
  }
}

/** `fetch` takes no URL with user and password, and says all of it in its error. They go into the header that they mean. */
function credentialsOf(url: URL): Readonly<Record<string, string>> {
  const { username, password } = url
  if (username === '' && password === '') return {}
  url.username = ''
  url.password = ''
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

async function readBody(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the rest.
    if (bytes > MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(): Error {
  return new Error('it is larger than 10 MiB')
}
