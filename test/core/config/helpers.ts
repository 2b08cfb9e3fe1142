import type { Test } from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { type LoadConfigOptions, type LoadedConfig, loadConfig } from '../../../core/config/load-config.ts'
import type { Manifest } from '../../../core/contract/manifest.ts'

/** Plugins with a section of their own, below a section of core, and in a section that core owns. */
export const MANIFESTS: readonly Manifest[] = [
  {
    name: 'apq',
    version: '1.0.0',
    kernelApi: 1,
    description: 'Persisted queries.',
    config: 'svc.apq',
    options: {
      type: 'object',
      properties: { cache_size: { type: 'integer', minimum: 1, default: 1000, description: 'Entries kept.' } },
    },
  },
  {
    name: 'cors',
    version: '1.0.0',
    kernelApi: 1,
    description: 'CORS.',
    config: 'server.cors',
    options: {
      type: 'object',
      properties: {
        origins: { type: 'array', items: { type: 'string' }, default: [], description: 'Origins.' },
        credentials: { type: 'boolean', default: false, description: 'Cookies.' },
        ratio: { type: 'number', description: 'A number.' },
        contact: { type: 'string', format: 'email', description: 'Who to ask.' },
        limits: { type: 'object', additionalProperties: { type: 'integer' }, description: 'By name.' },
      },
    },
  },
  {
    name: 'jwt',
    version: '1.0.0',
    kernelApi: 1,
    description: 'Tokens.',
    config: 'security',
    options: {
      type: 'object',
      properties: {
        jwt_secret: { type: 'string', description: 'Signing secret.' },
        pin: { type: 'integer', writeOnly: true, description: 'A number nobody may see.' },
      },
    },
  },
]

type Options = Partial<Omit<LoadConfigOptions, 'file' | 'cwd'>> & { readonly presetDefaults?: Record<string, unknown> }

/** Loads a svc.toml of this text. */
export function load(t: Test, toml: string, { presetDefaults, ...options }: Options = {}): Promise<LoadedConfig> {
  const dir = t.testdir({ 'svc.toml': toml })
  return loadConfig({
    file: 'svc.toml',
    cwd: dir,
    env: {},
    catalog: () => ({ manifests: MANIFESTS, presetDefaults }),
    ...options,
  })
}

/** The lines of the error that loading gives. */
export async function faultsOf(t: Test, toml: string, options: Options = {}): Promise<readonly string[]> {
  try {
    await load(t, toml, options)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.code !== 'SVC_CONFIG_INVALID') throw error
    const [first = '', ...rest] = error.message.split('\n')
    if (rest.length === 0) return [first.replace('The configuration cannot be used. ', '')]
    return rest.map((line) => line.replace(/^ {2}- /, ''))
  }
  throw new Error('no fault was found')
}
