/** The line of `galley doctor` in help. It stands alone so that help loads no check. */
export const doctorDescribe = 'Look for what is wrong, and say what to do about it'
