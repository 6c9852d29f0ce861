//! Many whole numbers, each in 64 bits as long as all of them fit.

/// Whole numbers by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    Small(Vec<i64>),
    /// One of them did not fit into 64 bits.
    Large(Vec<i128>),
}

impl Integers {
    pub(crate) fn zeros(n: usize) -> Self {
        Self::Small(vec![0; n])
    }

    pub(crate) fn with_capacity(n: usize) -> Self {
        Self::Small(Vec::with_capacity(n))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Small(numbers) => numbers.len(),
            Self::Large(numbers) => numbers.len(),
        }
    }

    /// # Panics
    /// If there are fewer.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> i128 {
        match self {
            Self::Small(numbers) => numbers[index].into(),
            Self::Large(numbers) => numbers[index],
        }
    }

    /// # Panics
    /// If there are fewer.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, number: i128) {
        match (&mut *self, i64::try_from(number)) {
            (Self::Small(numbers), Ok(small)) => numbers[index] = small,
            (Self::Small(_), Err(_)) => self.enlarge()[index] = number,
            (Self::Large(numbers), _) => numbers[index] = number,
        }
    }

    /// # Panics
    /// If there are fewer.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, number: i128) {
        self.set(index, self.get(index) + number);
    }

    pub(crate) fn push(&mut self, number: i128) {
        match (&mut *self, i64::try_from(number)) {
            (Self::Small(numbers), Ok(small)) => numbers.push(small),
            (Self::Small(_), Err(_)) => self.enlarge().push(number),
            (Self::Large(numbers), _) => numbers.push(number),
        }
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = i128> {
        (0..self.len()).map(|index| self.get(index))
    }

    #[cold]
    fn enlarge(&mut self) -> &mut Vec<i128> {
        let numbers = Vec::from_iter(self.iter());
        *self = Self::Large(numbers);
        match self {
            Self::Large(numbers) => numbers,
            Self::Small(_) => unreachable!("they are large now"),
        }
    }
}

impl Extend<i128> for Integers {
    fn extend<I: IntoIterator<Item = i128>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.push(number));
    }
}

impl FromIterator<i128> for Integers {
    fn from_iter<I: IntoIterator<Item = i128>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut all = Self::with_capacity(numbers.size_hint().0);
        all.extend(numbers);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_large_numbers_among_small_ones() {
        let mut numbers = Integers::zeros(2);
        numbers.set(1, 7);
        numbers.push(-1);
        assert_eq!(numbers, Integers::Small(vec![0, 7, -1]));
        numbers.add(1, i64::MAX.into());
        let large = i128::from(i64::MAX) + 7;
        assert_eq!(numbers, Integers::Large(vec![0, large, -1]));
        numbers.push(i128::MAX);
        assert_eq!(Vec::from_iter(numbers.iter()), [0, large, -1, i128::MAX]);
        let pushed: Integers = [1, i128::MIN].into_iter().collect();
        assert_eq!(pushed, Integers::Large(vec![1, i128::MIN]));
    }
}
