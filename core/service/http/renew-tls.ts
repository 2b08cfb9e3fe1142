import type { Signals } from '../../contract/signals.ts'
import { loadTls, type TlsConfig, type TlsMaterial } from './tls.ts'

/**
 * Reads certificate and key again, as every reload does: certificates are renewed under a service that runs. A pair that
 * cannot be used changes nothing, and is a line of the log.
 * @param current what is served @param use takes another pair
 * @returns what is served from now on; never rejects
 */
export async function renewTls(
  config: TlsConfig,
  baseDir: string,
  current: TlsMaterial,
  { use, signals }: { readonly use: (material: TlsMaterial) => void; readonly signals: Signals },
): Promise<TlsMaterial> {
  try {
    const read = await loadTls(config, baseDir)
    if (read === null || (read.cert.equals(current.cert) && read.key.equals(current.key))) return current
    use(read)
    signals.emit({ type: 'certificate-renewed' })
    return read
  } catch (error) {
    signals.emit({ type: 'certificate-refused', error })
    return current
  }
}
