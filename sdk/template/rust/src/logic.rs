//! The arithmetic of templatePlugin, independent of the scheduler: functions over numbers, with separate tests.

/// The free share of a resource in whole percent, 0..100. It is 0 if the node does not have the resource, or if the
/// requests exceed what the node has.
pub fn free_percent(allocatable: i64, requested: i64) -> i64 {
    if allocatable <= 0 {
        return 0;
    }
    let free = allocatable.saturating_sub(requested).clamp(0, allocatable);
    (i128::from(free) * 100 / i128::from(allocatable)) as i64
}

#[cfg(test)]
mod tests {
    use super::free_percent;

    #[test]
    fn table_of_cases() {
        assert_eq!(free_percent(4000, 0), 100);
        assert_eq!(free_percent(4000, 1000), 75);
        assert_eq!(free_percent(3000, 1000), 66); // truncated, not rounded
        assert_eq!(free_percent(4000, 5000), 0);
        assert_eq!(free_percent(0, 0), 0);
        assert_eq!(free_percent(i64::MAX, 0), 100);
    }
}
