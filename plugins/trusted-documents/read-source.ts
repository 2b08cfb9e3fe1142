import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { escapePercents } from '../../core/doors/driver.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { TrustedDocumentsOptions } from './options.ts'

/** Maximum size of a manifest of trusted documents, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 10_000

/** The file or URL with the manifest of trusted documents. */
export interface Source {
  /** Name of the file or URL for messages, without secrets of the URL. */
  readonly name: string
  /** Reads the manifest. @throws Error with the reason */
  read(): Promise<string>
}

/**
 * Returns the file or URL that the configuration names for the manifest of trusted documents.
 * @param baseDir folder for relative paths
 * @throws SvcError SVC_CONFIG_INVALID unless exactly one of both is configured
 */
export function sourceOf({ manifest_path: path, manifest_url: url }: TrustedDocumentsOptions, baseDir: string): Source {
  if ((path === undefined) === (url === undefined)) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      '[security.trusted_documents] needs one of manifest_path and manifest_url: the documents that are trusted.',
    )
  }
  return path === undefined ? urlSource(url as string) : fileSource(resolve(baseDir, path), path)
}

/** Creates the source of a manifest that reads a file. @param name name for messages */
export function fileSource(path: string, name = path): Source {
  return {
    name,
    async read() {
      // Without O_NONBLOCK, opening a pipe waits for a writer.
      const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      try {
        const found = await file.stat()
        // Reading a pipe or a device would never end.
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
      // Redirects are not followed: the operator has to configure the new URL, because the manifest decides what may run.
      const reply = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (reply.status !== 200) {
        await reply.body?.cancel()
        throw new Error(`it answers with status ${reply.status}`)
      }
      return readBody(reply)
    },
  }
}

/** Returns the credentials of a URL as header. `fetch` rejects such a URL, and its error would contain the password. */
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
    // Leaving the loop cancels the download.
    if (bytes > MAX_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLarge(): Error {
  return new Error('it is larger than 10 MiB')
}
