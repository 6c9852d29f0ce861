//! The ticks of one run, gathered by row.

/// The ticks of one run by row, each row once.
#[derive(Debug)]
pub(super) struct Scratch {
    /// For each row where it stands among those that were touched, from 1; 0 for others.
    places: Vec<u32>,
    touched: Vec<(usize, f64, f64)>,
}

impl Scratch {
    pub(super) fn new(n_rows: usize) -> Self {
        Self {
            places: vec![0; n_rows],
            touched: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, row: usize, own: f64, total: f64) {
        if self.places[row] == 0 {
            self.touched.push((row, 0.0, 0.0));
            let place = u32::try_from(self.touched.len());
            self.places[row] = place.expect("rows have numbers of 32 bits");
        }
        let (_, own_sum, total_sum) = &mut self.touched[self.places[row] as usize - 1];
        *own_sum += own;
        *total_sum += total;
    }

    pub(super) fn take(&mut self) -> Vec<(usize, f64, f64)> {
        let touched = std::mem::take(&mut self.touched);
        for &(row, ..) in &touched {
            self.places[row] = 0;
        }
        touched
    }
}
