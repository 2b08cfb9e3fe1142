import type { Signals } from '../../contract/signals.ts'
import { loadTls, type TlsConfig, type TlsMaterial } from './tls.ts'

/**
 * Reads certificate and key of the HTTPS server again, at each reload of the service, because certificates are renewed
 * while it runs. If the new pair is invalid, it emits the signal `certificate-refused`, and the current pair stays
 * active.
 * @param baseDir folder of svc.toml, which relative paths refer to
 * @param current the active certificate and key
 * @param options `use` activates another pair
 * @returns the pair that is active afterwards; never rejects
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
