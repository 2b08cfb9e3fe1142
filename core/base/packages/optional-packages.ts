/** Packages that svc does not install, because one feature alone needs them. They are optional peers in package.json. */
export interface OptionalPackages {
  /** Names on npm. The feature needs all of them. */
  readonly names: readonly string[]
  /** The feature, for messages and the docs: `backend = "msgbus"`. */
  readonly for: string
  /**
   * Condition of the need, for `svc doctor`: the option has the value `is`, or any value (`is` is absent); `'schema'`: the
   * compiled schema uses the plugin. Absent: the plugin or its driver reports a missing package itself.
   */
  readonly when?: { readonly option: string; readonly is?: string | boolean } | 'schema'
  /** Another remedy than the installation, as an imperative: `set enabled = false in [arrow]`. */
  readonly instead?: string
}
