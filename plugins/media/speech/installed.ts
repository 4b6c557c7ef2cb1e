/** Whether a package can be imported here. Optional ones may be left out. */
export function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName)
    return true
  } catch {
    return false
  }
}
